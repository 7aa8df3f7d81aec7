// Uploads that continue when the page is closed: browsers with Background Sync (Chromium) then wake the service worker.
import { SYNC_TAG } from './stored_queue';

interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

// The browser gives the service worker three minutes at a time, so the request is repeated while uploads run.
const REPEAT_MS = 2 * 60 * 1000;

class Background {
  /** Whether the browser has agreed to continue without the page. */
  isReady = $state(false);
  #tag = SYNC_TAG + crypto.getRandomValues(new Uint32Array(2)).join('');

  /** Ask the browser to finish the uploads, until the returned function is called. */
  keep(): () => void {
    const ask = (): void => void this.#ask();
    // The last moment before the page is closed or the phone shows another app.
    const askWhenHidden = (): void => {
      if (document.visibilityState === 'hidden') ask();
    };
    const timer = setInterval(ask, REPEAT_MS);
    document.addEventListener('visibilitychange', askWhenHidden);
    ask();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askWhenHidden);
    };
  }

  async #ask(): Promise<void> {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    // Without locks there is no way to tell whether a page is still uploading.
    if (!workers || !navigator.locks || !('sync' in ServiceWorkerRegistration.prototype)) return;
    try {
      const registration = (await workers.ready) as SyncRegistration;
      await registration.sync?.register(this.#tag);
      this.isReady = true;
    } catch {
      // Refused by the browser's settings, or in a private window.
      this.isReady = false;
    }
  }
}

export const background = new Background();
