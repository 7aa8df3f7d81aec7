// Where every month and every picture of the timeline is, reckoned from the counts alone: nothing has to be loaded to
// know how long the page is, and what comes later moves nothing.
import { lastNotAbove, placeOf, startsOf, type Month, type Place } from './months';

export const HEADING = 52;
export const GAP = 4;
const BELOW_A_MONTH = 16;
const WIDE_CELL = 180;
const NARROW_CELL = 112;
const NARROW = 560;
const FEWEST = 3;

/** The rows of a month that are in view. */
export interface VisibleMonth {
  readonly month: number;
  /** Where the month begins, in pixels from the start of the timeline. */
  readonly top: number;
  readonly height: number;
  readonly firstRow: number;
  /** One behind the last. */
  readonly endRow: number;
  readonly firstIndex: number;
  readonly endIndex: number;
}

export class Layout {
  readonly months: readonly Month[];
  readonly columns: number;
  readonly cell: number;
  readonly total: number;
  readonly count: number;
  readonly #tops: number[] = [];
  readonly #starts: number[];

  /** `head` is the room for what is above the first month. */
  constructor(months: readonly Month[], width: number, head = 0) {
    this.months = months;
    const wanted = width < NARROW ? NARROW_CELL : WIDE_CELL;
    this.columns = Math.max(FEWEST, Math.floor((width + GAP) / (wanted + GAP)));
    this.cell = Math.max(1, (width - GAP * (this.columns - 1)) / this.columns);
    let top = head;
    for (const month of months) {
      this.#tops.push(top);
      top += this.#heightOf(month);
    }
    this.total = top;
    this.#starts = startsOf(months);
    this.count = this.#starts.at(-1)!;
  }

  get rowHeight(): number {
    return this.cell + GAP;
  }

  /** Where a month begins. */
  topOf(month: number): number {
    return this.#tops[month] ?? 0;
  }

  heightOf(month: number): number {
    const one = this.months[month];
    return one ? this.#heightOf(one) : 0;
  }

  /** Where the row of a picture begins. */
  topOfPicture({ month, index }: Place): number {
    return this.topOf(month) + HEADING + Math.floor(index / this.columns) * this.rowHeight;
  }

  /** The month at that height; the first for everything above it. */
  monthAt(y: number): number {
    return Math.max(0, lastNotAbove(this.#tops, y));
  }

  visible(from: number, to: number): VisibleMonth[] {
    const seen: VisibleMonth[] = [];
    for (let month = this.monthAt(from); month < this.months.length && this.topOf(month) < to; month++) {
      const { count } = this.months[month]!;
      const top = this.topOf(month);
      const rows = Math.ceil(count / this.columns);
      const start = top + HEADING;
      const firstRow = Math.min(rows, Math.max(0, Math.floor((from - start) / this.rowHeight)));
      const endRow = Math.min(rows, Math.max(firstRow, Math.ceil((to - start) / this.rowHeight)));
      seen.push({
        month,
        top,
        height: this.heightOf(month),
        firstRow,
        endRow,
        firstIndex: firstRow * this.columns,
        endIndex: Math.min(count, endRow * this.columns),
      });
    }
    return seen;
  }

  place(number: number): Place | null {
    return placeOf(this.#starts, number);
  }

  number({ month, index }: Place): number {
    return this.#starts[month]! + index;
  }

  /** Where a key of the keyboard leads from a picture; null for keys that lead nowhere. */
  step(from: number, key: string, rowsInView = 5): number | null {
    const within = (number: number): number => Math.min(this.count - 1, Math.max(0, number));
    switch (key) {
      case 'ArrowLeft':
        return within(from - 1);
      case 'ArrowRight':
        return within(from + 1);
      case 'ArrowDown':
        return this.#below(from);
      case 'ArrowUp':
        return this.#above(from);
      case 'Home':
        return 0;
      case 'End':
        return within(this.count - 1);
      case 'PageDown':
      case 'PageUp': {
        let number = from;
        for (let row = 0; row < rowsInView; row++)
          number = key === 'PageDown' ? this.#below(number) : this.#above(number);
        return number;
      }
      default:
        return null;
    }
  }

  #heightOf({ count }: Month): number {
    return HEADING + Math.ceil(count / this.columns) * this.rowHeight + BELOW_A_MONTH;
  }

  #below(from: number): number {
    const place = this.place(from);
    if (!place) return from;
    const { count } = this.months[place.month]!;
    if (place.index + this.columns < count) return from + this.columns;
    const column = place.index % this.columns;
    if (place.index - column + this.columns < count) return this.number({ ...place, index: count - 1 });
    const next = this.months[place.month + 1];
    return next ? this.number({ month: place.month + 1, index: Math.min(column, next.count - 1) }) : from;
  }

  #above(from: number): number {
    const place = this.place(from);
    if (!place) return from;
    if (place.index >= this.columns) return from - this.columns;
    const before = this.months[place.month - 1];
    if (!before) return from;
    const lastRow = Math.floor((before.count - 1) / this.columns) * this.columns;
    const index = Math.min(before.count - 1, lastRow + (place.index % this.columns));
    return this.number({ month: place.month - 1, index });
  }
}

/** Where to be in another layout of the timeline, to see what was seen at that height of this one. */
export function sameView(before: Layout, now: Layout, y: number): number {
  const old = before.monthAt(y);
  const month = before.months[old];
  if (!month || y <= before.topOf(0)) return y;
  const isNotNewer = (one: Month): boolean => one.year * 12 + one.month <= month.year * 12 + month.month;
  const found = now.months.findIndex(isNotNewer);
  if (found < 0) return now.total;
  const into = y - before.topOf(old);
  const rows = (into - HEADING) / before.rowHeight;
  const { year, month: number } = now.months[found]!;
  if (year !== month.year || number !== month.month) return now.topOf(found);
  if (before.columns === now.columns || rows < 0) return now.topOf(found) + into;
  return now.topOfPicture({ month: found, index: Math.floor(rows) * before.columns });
}
