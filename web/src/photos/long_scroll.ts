// Scrolling beyond the maximum height of an element, which a million pictures exceed. The element is as high as
// possible; small scroll steps then move exactly, and jumps proportionally. The difference is the shift.

export const MAX_HEIGHT = 10_000_000;

export interface Moved {
  /** The position in the whole content. */
  y: number;
  /** The element's scroll position; unchanged if it needs no correction. */
  scrollTop: number;
}

export class LongScroll {
  readonly height: number;
  readonly #total: number;
  readonly #view: number;
  #shift = 0;
  #previous = 0;

  constructor(total: number, view: number, maxHeight = MAX_HEIGHT) {
    this.#total = Math.max(total, view);
    this.#view = view;
    this.height = Math.min(this.#total, Math.max(maxHeight, view));
  }

  /** Subtracted from a position in the content, gives the position in the element. */
  get shift(): number {
    return this.#shift;
  }

  get #maxScroll(): number {
    return this.height - this.#view;
  }

  /** The user has scrolled the element. */
  scrolled(scrollTop: number): Moved {
    const isJump = Math.abs(scrollTop - this.#previous) > this.#view;
    const atAnEnd = scrollTop <= 0 || scrollTop >= this.#maxScroll;
    this.#previous = scrollTop;
    if (this.height === this.#total) return { y: scrollTop, scrollTop };
    if (isJump || atAnEnd) return this.#jumped(scrollTop);
    const y = scrollTop + this.#shift;
    // Small steps drift from the proportional position; this is corrected near the ends of the element.
    const margin = Math.min(scrollTop, this.#maxScroll - scrollTop);
    return margin < this.#view ? this.to(y) : { y, scrollTop };
  }

  /** Scroll to a position in the content. */
  to(wanted: number): Moved {
    const last = this.#total - this.#view;
    const y = Math.min(last, Math.max(0, wanted));
    if (this.height === this.#total) {
      this.#previous = y;
      return { y, scrollTop: y };
    }
    const scrollTop = Math.round((y / last) * this.#maxScroll);
    this.#shift = y - scrollTop;
    this.#previous = scrollTop;
    return { y, scrollTop };
  }

  #jumped(scrollTop: number): Moved {
    const fraction = Math.min(1, Math.max(0, scrollTop / this.#maxScroll));
    const y = fraction * (this.#total - this.#view);
    this.#shift = y - scrollTop;
    return { y, scrollTop };
  }
}
