// The period of an announcement: fields of date and time in the user's zone, and epoch milliseconds.

/** The last time that the interface can express: the announcement has no end. */
const ENDLESS = Date.UTC(9999, 0, 1);

export function isEndless(ms: number): boolean {
  return ms >= ENDLESS;
}

/** The value of a datetime-local field; empty for no time. */
export function fieldOf(ms: number | null): string {
  if (ms === null || isEndless(ms)) return '';
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time of a field; null if it is empty. */
export function timeOf(field: string): number | null {
  return field ? new Date(field).getTime() : null;
}
