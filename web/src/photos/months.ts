// Months with pictures, and the number of each picture in the timeline, newest first.
import { region } from '../words';

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly count: number;
}

/** A picture by its month and its index in it. */
export interface Position {
  readonly month: number;
  readonly index: number;
}

export function monthId({ year, month }: Pick<Month, 'year' | 'month'>): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}

export function monthName({ year, month }: Pick<Month, 'year' | 'month'>): string {
  const date = new Date(Date.UTC(2000, month - 1, 15));
  // The constructor treats years below 100 as 19xx.
  date.setUTCFullYear(year);
  return date.toLocaleDateString(region, { year: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** The number of pictures before each month, and the total at the end. */
export function startsOf(months: readonly Month[]): number[] {
  const starts = [0];
  for (const { count } of months) starts.push(starts.at(-1)! + count);
  return starts;
}

/** The index of the last entry of a sorted list that is at most the value; -1 if there is none. */
export function lastAtMost(row: readonly number[], value: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The position of the picture with this number; null if there is none. */
export function positionOf(starts: readonly number[], number: number): Position | null {
  const total = starts.at(-1) ?? 0;
  if (number < 0 || number >= total) return null;
  const month = lastAtMost(starts, number);
  return { month, index: number - starts[month]! };
}
