// The pictures of one month in justified rows: no picture is cropped, every full row fills the width, and each day has a
// heading. Short days share a row.

export const HEADING = 44;
export const GAP = 4;
const GROUP_GAP = 24;
const MARGIN = 12;
/** Assumed for pictures that are not loaded or whose shape is unknown. */
export const USUAL_RATIO = 4 / 3;
const MIN_RATIO = 0.4;
const MAX_RATIO = 5;
/** A row with few pictures does not grow beyond this. */
const MAX_GROWTH = 1.8;
/** A day that almost fills a row gets the row to itself. */
const ALMOST_FULL = 0.85;
const MIN_GROUP = 150;

export interface Shape {
  readonly ratio: number | null;
  readonly day: number;
  /** Part of a stack that another picture shows. */
  readonly isHidden?: boolean;
}

export interface Cell {
  /** The picture's index in its month. */
  readonly index: number;
  readonly left: number;
  readonly width: number;
}

export interface Row {
  readonly top: number;
  readonly height: number;
  readonly cells: readonly Cell[];
}

/** The pictures of a day. */
export interface Group {
  readonly day: number;
  readonly top: number;
  readonly height: number;
  readonly left: number;
  readonly width: number;
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

export class MonthRows {
  readonly rows: readonly Row[];
  readonly groups: readonly Group[];
  readonly height: number;

  /** Positions are relative to the top of the month. `count` may exceed the shapes: the others are not loaded yet. */
  constructor(
    shapes: readonly Shape[],
    readonly count: number,
    readonly width: number,
    readonly target: number,
  ) {
    const packing = new Packing(width, target);
    for (let first = 0; first < shapes.length;) {
      let end = first + 1;
      while (end < shapes.length && shapes[end]!.day === shapes[first]!.day) end++;
      packing.add(shapes, first, end);
      first = end;
    }
    const loaded = packing.finish();
    const rest = count - shapes.length;
    this.#restTop = loaded + (shapes.length ? 0 : HEADING);
    this.#restFirst = shapes.length;
    this.#perRow = perRow(width, target);
    this.#restRows = Math.ceil(Math.max(0, rest) / this.#perRow);
    this.rows = packing.rows;
    this.groups = packing.groups;
    this.height = rest > 0 ? this.#restTop + this.#restRows * (target + GAP) + MARGIN : loaded;
  }

  readonly #restTop: number;
  readonly #restFirst: number;
  readonly #restRows: number;
  readonly #perRow: number;

  /** The rows between two positions. */
  between(from: number, to: number): Row[] {
    const seen = this.rows.slice(firstBelow(this.rows, from));
    const found: Row[] = [];
    for (const row of seen) {
      if (row.top >= to) return found;
      found.push(row);
    }
    const step = this.target + GAP;
    const start = Math.max(0, Math.floor((from - this.#restTop) / step));
    for (let row = start; row < this.#restRows && this.#restTop + row * step < to; row++) found.push(this.#rest(row));
    return found;
  }

  /** The row of a picture; a hidden one is where the picture is that shows it. */
  rowOf(index: number): Row | undefined {
    if (index >= this.#restFirst) return this.#rest(Math.floor((index - this.#restFirst) / this.#perRow));
    return this.rows[this.#rowNumber(index)];
  }

  get rowCount(): number {
    return this.rows.length + this.#restRows;
  }

  row(number: number): Row | undefined {
    if (number < 0 || number >= this.rowCount) return undefined;
    return this.rows[number] ?? this.#rest(number - this.rows.length);
  }

  rowNumber(index: number): number {
    if (index < this.#restFirst) return this.#rowNumber(index);
    return this.rows.length + Math.floor((index - this.#restFirst) / this.#perRow);
  }

  #rowNumber(index: number): number {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle]!.cells[0]!.index <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #rest(row: number): Row {
    const first = this.#restFirst + row * this.#perRow;
    const cell = (this.width - GAP * (this.#perRow - 1)) / this.#perRow;
    const cells = Array.from({ length: Math.min(this.#perRow, this.count - first) }, (_, column) => ({
      index: first + column,
      left: column * (cell + GAP),
      width: cell,
    }));
    return { top: this.#restTop + row * (this.target + GAP), height: this.target, cells };
  }
}

function perRow(width: number, target: number): number {
  return Math.max(1, Math.round((width + GAP) / (target * USUAL_RATIO + GAP)));
}

/** The first row that ends below a position. */
function firstBelow(rows: readonly Row[], y: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.top + rows[middle]!.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function ratioOf({ ratio }: Pick<Shape, 'ratio'>): number {
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio ?? USUAL_RATIO));
}

/** Divide pictures into rows that are about equally wide, so that none is left over for the last one. */
function evenly(ratios: readonly number[], perRow: number): number[][] {
  const sum = ratios.reduce((all, ratio) => all + ratio, 0);
  const count = Math.max(1, Math.round(sum / perRow));
  const rows = Array.from({ length: count }, (): number[] => []);
  let before = 0;
  ratios.forEach((ratio, number) => {
    rows[Math.min(count - 1, Math.floor(((before + ratio / 2) / sum) * count))]!.push(number);
    before += ratio;
  });
  return rows.filter((row) => row.length);
}

/** Lays out the days in order; short ones share a row. */
class Packing {
  readonly rows: Row[] = [];
  readonly groups: Group[] = [];
  #top = 0;
  /** Where the next short day may start in the current row; 0 if there is no such row. */
  #left = 0;
  #shared: Cell[] = [];

  constructor(
    readonly width: number,
    readonly target: number,
  ) {}

  add(shapes: readonly Shape[], first: number, end: number): void {
    const shown: number[] = [];
    for (let index = first; index < end; index++) if (!shapes[index]!.isHidden) shown.push(index);
    if (!shown.length) return;
    const widths = shown.map((index) => ratioOf(shapes[index]!) * this.target);
    const natural = widths.reduce((sum, width) => sum + width, 0) + GAP * (shown.length - 1);
    if (natural > this.width * ALMOST_FULL) return this.#long(shapes, shown, first, end);
    const taken = Math.max(natural, Math.min(MIN_GROUP, this.width));
    if (this.#left && this.#left + taken > this.width) this.#close();
    let left = this.#left;
    shown.forEach((index, number) => {
      this.#shared.push({ index, left, width: widths[number]! });
      left += widths[number]! + GAP;
    });
    const height = HEADING + this.target + GAP;
    this.groups.push({ day: shapes[first]!.day, top: this.#top, height, left: this.#left, width: taken, first, end });
    this.#left += taken + GROUP_GAP;
  }

  /** A day of more than one row. */
  #long(shapes: readonly Shape[], shown: readonly number[], first: number, end: number): void {
    this.#close();
    const start = this.#top;
    this.#top += HEADING;
    for (const row of evenly(
      shown.map((index) => ratioOf(shapes[index]!)),
      this.width / this.target,
    ))
      this.#justified(
        shapes,
        row.map((number) => shown[number]!),
      );
    const group = { day: shapes[first]!.day, top: start, height: this.#top - start, left: 0, width: this.width };
    this.groups.push({ ...group, first, end });
    this.#top += MARGIN;
  }

  #justified(shapes: readonly Shape[], row: readonly number[]): void {
    const sum = row.reduce((all, index) => all + ratioOf(shapes[index]!), 0);
    const height = Math.min((this.width - GAP * (row.length - 1)) / sum, this.target * MAX_GROWTH);
    let left = 0;
    const cells = row.map((index) => {
      const width = ratioOf(shapes[index]!) * height;
      const cell = { index, left, width };
      left += width + GAP;
      return cell;
    });
    this.rows.push({ top: this.#top, height, cells });
    this.#top += height + GAP;
  }

  #close(): void {
    if (!this.#left) return;
    this.rows.push({ top: this.#top + HEADING, height: this.target, cells: this.#shared });
    this.#shared = [];
    this.#left = 0;
    this.#top += HEADING + this.target + GAP + MARGIN;
  }

  /** The height of everything. */
  finish(): number {
    this.#close();
    return this.#top;
  }
}
