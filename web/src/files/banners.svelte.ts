// The operator's announcements, without those that the user has dismissed.
import { GET, dataOf, type Schemas } from '../api/client';
import { notifications } from '../app/notifications.svelte';

export type Banner = Schemas['BannerCard'];

const DISMISSED_KEY = 'skyshelf.dismissed-banners';
const MAX_REMEMBERED = 100;

class Banners {
  all = $state.raw<Banner[]>([]);
  #isLoaded = false;

  /** Load once per page; errors are ignored. */
  async load(): Promise<void> {
    if (this.#isLoaded || !notifications.isOn('announcements')) return;
    this.#isLoaded = true;
    try {
      const { cards } = await dataOf(GET('/promo/banner/list'));
      const dismissed = new Set(dismissedIds());
      this.all = (cards ?? []).filter((banner) => !dismissed.has(banner.cardId));
    } catch {
      this.#isLoaded = false;
    }
  }

  dismiss(banner: Banner): void {
    this.all = this.all.filter((other) => other.cardId !== banner.cardId);
    localStorage.setItem(DISMISSED_KEY, JSON.stringify([...dismissedIds(), banner.cardId].slice(-MAX_REMEMBERED)));
  }
}

export const banners = new Banners();

function dismissedIds(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(DISMISSED_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
