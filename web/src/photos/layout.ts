// The positions of all months and pictures of the timeline, computed from the counts alone: the page's height is known
// before anything is loaded, and loading moves nothing.
import { lastAtMost, positionOf, startsOf, type Month, type Position } from './months';

export const HEADING = 52;
export const GAP = 4;
const MONTH_MARGIN = 16;
const WIDE_CELL = 180;
const NARROW_CELL = 112;
const NARROW = 560;
const MIN_COLUMNS = 3;

/** The rows of a month that are in view. */
export interface VisibleMonth {
  readonly month: number;
  /** The top of the month in pixels. */
  readonly top: number;
  readonly height: number;
  readonly firstRow: number;
  /** Exclusive. */
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

  /** `head` is the height of the content above the first month. */
  constructor(months: readonly Month[], width: number, head = 0) {
    this.months = months;
    const wanted = width < NARROW ? NARROW_CELL : WIDE_CELL;
    this.columns = Math.max(MIN_COLUMNS, Math.floor((width + GAP) / (wanted + GAP)));
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

  /** The top of a month. */
  topOf(month: number): number {
    return this.#tops[month] ?? 0;
  }

  heightOf(month: number): number {
    const found = this.months[month];
    return found ? this.#heightOf(found) : 0;
  }

  /** The top of a picture's row. */
  topOfPicture({ month, index }: Position): number {
    return this.topOf(month) + HEADING + Math.floor(index / this.columns) * this.rowHeight;
  }

  /** The month at a vertical position; the first one for everything above it. */
  monthAt(y: number): number {
    return Math.max(0, lastAtMost(this.#tops, y));
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

  position(number: number): Position | null {
    return positionOf(this.#starts, number);
  }

  number({ month, index }: Position): number {
    return this.#starts[month]! + index;
  }

  /** The picture that a key moves to; null for other keys. */
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
    return HEADING + Math.ceil(count / this.columns) * this.rowHeight + MONTH_MARGIN;
  }

  #below(from: number): number {
    const position = this.position(from);
    if (!position) return from;
    const { count } = this.months[position.month]!;
    if (position.index + this.columns < count) return from + this.columns;
    const column = position.index % this.columns;
    if (position.index - column + this.columns < count) return this.number({ ...position, index: count - 1 });
    const next = this.months[position.month + 1];
    return next ? this.number({ month: position.month + 1, index: Math.min(column, next.count - 1) }) : from;
  }

  #above(from: number): number {
    const position = this.position(from);
    if (!position) return from;
    if (position.index >= this.columns) return from - this.columns;
    const before = this.months[position.month - 1];
    if (!before) return from;
    const lastRow = Math.floor((before.count - 1) / this.columns) * this.columns;
    const index = Math.min(before.count - 1, lastRow + (position.index % this.columns));
    return this.number({ month: position.month - 1, index });
  }
}

/** The scroll position in a new layout that shows the same pictures as `y` did in the previous one. */
export function sameView(before: Layout, now: Layout, y: number): number {
  const old = before.monthAt(y);
  const month = before.months[old];
  if (!month || y <= before.topOf(0)) return y;
  const isNotNewer = (other: Month): boolean => other.year * 12 + other.month <= month.year * 12 + month.month;
  const found = now.months.findIndex(isNotNewer);
  if (found < 0) return now.total;
  const into = y - before.topOf(old);
  const rows = (into - HEADING) / before.rowHeight;
  const { year, month: number } = now.months[found]!;
  if (year !== month.year || number !== month.month) return now.topOf(found);
  if (before.columns === now.columns || rows < 0) return now.topOf(found) + into;
  return now.topOfPicture({ month: found, index: Math.floor(rows) * before.columns });
}
