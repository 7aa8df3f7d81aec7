// The positions of all months and pictures of the timeline. A month that is not loaded has an estimated height, so the
// page's height is known from the counts alone; the view stays where it is when a month gets its real height.
import { HEADING, MonthRows, type Group, type Row, type Shape } from './justified';
import { lastAtMost, positionOf, startsOf, type Month, type Position } from './months';

const WIDE_ROW = 200;
const NARROW_ROW = 110;
const NARROW = 560;
export const DENSITIES = [0.6, 0.8, 1, 1.35, 1.8] as const;
export const USUAL_DENSITY = 2;

/** What is in view of a month. */
export interface VisibleMonth {
  readonly month: number;
  readonly top: number;
  readonly rows: readonly Row[];
  readonly groups: readonly Group[];
  /** Exclusive: up to here its pictures have to be loaded. */
  readonly endIndex: number;
}

export type ShapesOf = (month: Month) => readonly Shape[];

/** Months keep their rows as long as nothing about them changes. */
export class RowCache {
  readonly #rows = new WeakMap<readonly Shape[], MonthRows>();

  rows(shapes: readonly Shape[], count: number, width: number, target: number): MonthRows {
    const known = this.#rows.get(shapes);
    if (known && known.count === count && known.width === width && known.target === target) return known;
    const rows = new MonthRows(shapes, count, width, target);
    if (shapes.length) this.#rows.set(shapes, rows);
    return rows;
  }
}

export function rowHeight(width: number, density: number): number {
  return Math.round((width < NARROW ? NARROW_ROW : WIDE_ROW) * (DENSITIES[density] ?? 1));
}

export class Layout {
  readonly total: number;
  readonly count: number;
  readonly #tops: number[] = [];
  readonly #rows: MonthRows[];
  readonly #starts: number[];

  /** `head` is the height of the content above the first month. */
  constructor(
    readonly months: readonly Month[],
    shapesOf: ShapesOf,
    readonly width: number,
    readonly target: number,
    head = 0,
    cache = new RowCache(),
  ) {
    this.#rows = months.map((month) => cache.rows(shapesOf(month), month.count, Math.max(1, width), target));
    let top = head;
    for (const rows of this.#rows) {
      this.#tops.push(top);
      top += rows.height;
    }
    this.total = top;
    this.#starts = startsOf(months);
    this.count = this.#starts.at(-1)!;
  }

  /** The top of a month. */
  topOf(month: number): number {
    return this.#tops[month] ?? 0;
  }

  heightOf(month: number): number {
    return this.#rows[month]?.height ?? 0;
  }

  rowsOf(month: number): MonthRows | undefined {
    return this.#rows[month];
  }

  /** A picture's row, with its top on the page. */
  rowOf({ month, index }: Position): Row | undefined {
    const row = this.#rows[month]?.rowOf(index);
    return row && { ...row, top: row.top + this.topOf(month) };
  }

  /** The month at a vertical position; the first one for everything above it. */
  monthAt(y: number): number {
    return Math.max(0, lastAtMost(this.#tops, y));
  }

  /** The first picture whose row ends below a position. */
  pictureAt(y: number): Position | null {
    for (let month = this.monthAt(y); month < this.months.length; month++) {
      const [row] = this.#rows[month]!.between(y - this.topOf(month), Infinity);
      if (row) return { month, index: row.cells[0]!.index };
    }
    return null;
  }

  visible(from: number, to: number): VisibleMonth[] {
    const seen: VisibleMonth[] = [];
    for (let month = this.monthAt(from); month < this.months.length && this.topOf(month) < to; month++) {
      const top = this.topOf(month);
      const found = this.#rows[month]!;
      const rows = found.between(from - top, to - top);
      const groups = found.groups.filter((group) => group.top + group.height > from - top && group.top < to - top);
      seen.push({ month, top, rows, groups, endIndex: (rows.at(-1)?.cells.at(-1)?.index ?? -1) + 1 });
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
  step(from: number, key: string, rowsInView = 3): number | null {
    switch (key) {
      case 'ArrowLeft':
        return this.#beside(from, -1);
      case 'ArrowRight':
        return this.#beside(from, 1);
      case 'ArrowDown':
        return this.#vertically(from, 1);
      case 'ArrowUp':
        return this.#vertically(from, -1);
      case 'Home':
        return 0;
      case 'End':
        return this.count - 1;
      case 'PageDown':
        return this.#vertically(from, rowsInView);
      case 'PageUp':
        return this.#vertically(from, -rowsInView);
      default:
        return null;
    }
  }

  /** The next picture that is shown, in either direction. */
  #beside(from: number, by: 1 | -1): number {
    for (let next = from + by; next >= 0 && next < this.count; next += by) if (this.#isShown(next)) return next;
    return from;
  }

  #isShown(number: number): boolean {
    const { month, index } = this.position(number)!;
    return this.#rows[month]!.rowOf(index)?.cells.some((cell) => cell.index === index) ?? false;
  }

  #vertically(from: number, by: number): number {
    const position = this.position(from);
    const row = position && this.#rows[position.month]!.rowOf(position.index);
    if (!position || !row) return from;
    const cell = row.cells.find(({ index }) => index === position.index) ?? row.cells[0]!;
    let { month } = position;
    let number = this.#rows[month]!.rowNumber(position.index) + by;
    while (number < 0) {
      if (!month) return 0;
      number += this.#rows[--month]!.rowCount;
    }
    while (number >= this.#rows[month]!.rowCount) {
      if (month === this.months.length - 1) {
        number = this.#rows[month]!.rowCount - 1;
        break;
      }
      number -= this.#rows[month++]!.rowCount;
    }
    const wanted = this.#rows[month]!.row(number)!;
    return this.number({ month, index: nearest(wanted, cell.left + cell.width / 2) });
  }
}

function nearest(row: Row, x: number): number {
  const distance = (cell: Row['cells'][number]): number => Math.abs(cell.left + cell.width / 2 - x);
  return row.cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best)).index;
}

/** The scroll position in a new layout that shows the same pictures as `y` did in the previous one. */
export function sameView(before: Layout, now: Layout, y: number): number {
  const old = before.monthAt(y);
  const month = before.months[old];
  if (!month || y <= before.topOf(0)) return y;
  const isNotNewer = (other: Month): boolean => other.year * 12 + other.month <= month.year * 12 + month.month;
  const found = now.months.findIndex(isNotNewer);
  if (found < 0) return now.total;
  const { year, month: number } = now.months[found]!;
  if (year !== month.year || number !== month.month) return now.topOf(found);
  const into = y - before.topOf(old);
  if (into < HEADING || before.rowsOf(old) === now.rowsOf(found)) return now.topOf(found) + into;
  const position = before.pictureAt(y);
  const row = position && before.rowOf(position);
  if (!row || position.month !== old) return now.topOf(found) + Math.min(into, now.heightOf(found));
  const index = Math.min(position.index, now.months[found]!.count - 1);
  const there = now.rowOf({ month: found, index });
  return there ? there.top + ((y - row.top) / row.height) * there.height : now.topOf(found);
}
