// Months that have pictures, and the place of each picture in the one long row of all of them, newest first.
import { region } from '../words';

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly count: number;
}

/** A picture by its month and its place in it. */
export interface Place {
  readonly month: number;
  readonly index: number;
}

export function monthId({ year, month }: Pick<Month, 'year' | 'month'>): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}

export function monthName({ year, month }: Pick<Month, 'year' | 'month'>): string {
  const date = new Date(Date.UTC(2000, month - 1, 15));
  // Years below 100 mean something else to the constructor.
  date.setUTCFullYear(year);
  return date.toLocaleDateString(region, { year: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** How many pictures come before each month, and at the end how many there are. */
export function startsOf(months: readonly Month[]): number[] {
  const starts = [0];
  for (const { count } of months) starts.push(starts.at(-1)! + count);
  return starts;
}

/** The last entry of a growing row that is not above the value; -1 where all are. */
export function lastNotAbove(row: readonly number[], value: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where the picture of that number is; null where there is none. */
export function placeOf(starts: readonly number[], number: number): Place | null {
  const total = starts.at(-1) ?? 0;
  if (number < 0 || number >= total) return null;
  const month = lastNotAbove(starts, number);
  return { month, index: number - starts[month]! };
}
