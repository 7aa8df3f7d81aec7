// Scrolling over more pixels than a browser can: a million pictures are higher than the highest element there may be.
// The element is as high as it may be; where that is too little, small steps move by what they say, and jumps in
// proportion. The difference between the two is the shift.

export const TALLEST = 10_000_000;

export interface Moved {
  /** Where the view is in the whole. */
  y: number;
  /** Where the element must be scrolled to; the same as before where nothing has to be mended. */
  scrollTop: number;
}

export class LongScroll {
  readonly height: number;
  readonly #total: number;
  readonly #view: number;
  #shift = 0;
  #before = 0;

  constructor(total: number, view: number, tallest = TALLEST) {
    this.#total = Math.max(total, view);
    this.#view = view;
    this.height = Math.min(this.#total, Math.max(tallest, view));
  }

  /** What has to be taken from a place in the whole to get one in the element. */
  get shift(): number {
    return this.#shift;
  }

  get #longest(): number {
    return this.height - this.#view;
  }

  /** The element was scrolled to there. */
  scrolled(scrollTop: number): Moved {
    const isJump = Math.abs(scrollTop - this.#before) > this.#view;
    const atAnEnd = scrollTop <= 0 || scrollTop >= this.#longest;
    this.#before = scrollTop;
    if (this.height === this.#total) return { y: scrollTop, scrollTop };
    if (isJump || atAnEnd) return this.#jumped(scrollTop);
    const y = scrollTop + this.#shift;
    // Small steps may lead away from where the proportion says: near the ends of the element it is set right.
    const room = Math.min(scrollTop, this.#longest - scrollTop);
    return room < this.#view ? this.to(y) : { y, scrollTop };
  }

  /** Go to a place in the whole. */
  to(wanted: number): Moved {
    const last = this.#total - this.#view;
    const y = Math.min(last, Math.max(0, wanted));
    if (this.height === this.#total) {
      this.#before = y;
      return { y, scrollTop: y };
    }
    const scrollTop = Math.round((y / last) * this.#longest);
    this.#shift = y - scrollTop;
    this.#before = scrollTop;
    return { y, scrollTop };
  }

  #jumped(scrollTop: number): Moved {
    const share = Math.min(1, Math.max(0, scrollTop / this.#longest));
    const y = share * (this.#total - this.#view);
    this.#shift = y - scrollTop;
    return { y, scrollTop };
  }
}
