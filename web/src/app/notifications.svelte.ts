// Which events are reported, by a notice in the page or, while another window is shown, by the device. Chosen per device,
// because permission is given per device.
import { notices, type Notice } from './notices.svelte';
import { at } from './place';

export const EVENTS = ['uploads', 'shared', 'comments', 'announcements'] as const;
export type NotifiedEvent = (typeof EVENTS)[number];

const STORAGE_KEY = 'skyshelf.notifications';
type Choices = Record<NotifiedEvent, boolean> & { device: boolean };
const DEFAULT: Choices = { uploads: true, shared: true, comments: true, announcements: true, device: false };

function stored(): Choices {
  try {
    const known = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Choices>;
    return { ...DEFAULT, ...known };
  } catch {
    return { ...DEFAULT };
  }
}

class Notifications {
  #choices = $state.raw<Choices>(stored());

  /** Whether the device can show notifications of this page at all. */
  get isOffered(): boolean {
    return 'Notification' in globalThis && isSecureContext;
  }

  isOn(event: NotifiedEvent): boolean {
    return this.#choices[event];
  }

  get isOnDevice(): boolean {
    return this.#choices.device && this.isOffered && Notification.permission === 'granted';
  }

  choose(event: NotifiedEvent, isOn: boolean): void {
    this.#store({ ...this.#choices, [event]: isOn });
  }

  /** Ask for permission; returns whether it was given. */
  async allowOnDevice(isAllowed: boolean): Promise<boolean> {
    const isGranted = isAllowed && this.isOffered && (await Notification.requestPermission()) === 'granted';
    this.#store({ ...this.#choices, device: isGranted });
    return isGranted === isAllowed;
  }

  /** Report an event, unless the user has switched it off. `inPage` is false if the page shows it anyway. */
  report(
    event: NotifiedEvent,
    text: string,
    { inPage = true, action }: { inPage?: boolean; action?: Notice['action'] } = {},
  ): void {
    if (!this.isOn(event)) return;
    if (document.visibilityState === 'hidden' && this.isOnDevice) void showOnDevice(text, event);
    else if (inPage) notices.show(text, action);
  }

  #store(choices: Choices): void {
    this.#choices = choices;
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choices));
  }
}

async function showOnDevice(text: string, tag: string): Promise<void> {
  const options = { body: text, tag, icon: at('/icons/icon-192.png') };
  // Phones show them only through the service worker.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification('Skyshelf', options);
  else new Notification('Skyshelf', options);
}

export const notifications = new Notifications();
