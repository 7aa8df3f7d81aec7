// What the operator tells everybody, without what the person has put away.
import { GET, answer, type Schemas } from '../api/client';

export type Banner = Schemas['BannerCard'];

const PUT_AWAY = 'skyshelf.banners-put-away';
const REMEMBERED = 100;

class Banners {
  all = $state.raw<Banner[]>([]);
  #isAsked = false;

  /** Once for a page; an announcement is no reason to fail, nor to say that it could not be had. */
  async load(): Promise<void> {
    if (this.#isAsked) return;
    this.#isAsked = true;
    try {
      const { cards } = await answer(GET('/promo/banner/list'));
      const away = new Set(putAway());
      this.all = (cards ?? []).filter((one) => !away.has(one.cardId));
    } catch {
      this.#isAsked = false;
    }
  }

  putAway(banner: Banner): void {
    this.all = this.all.filter((one) => one.cardId !== banner.cardId);
    localStorage.setItem(PUT_AWAY, JSON.stringify([...putAway(), banner.cardId].slice(-REMEMBERED)));
  }
}

export const banners = new Banners();

function putAway(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PUT_AWAY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
