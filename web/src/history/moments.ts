// Moments on a slider: its right end is now, and the nearer to it, the finer are its steps.

export const STEPS = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The moment at a position of the slider, from 0 to STEPS. */
export function momentAt(position: number, oldest: number, now: number): number {
  const left = 1 - position / STEPS;
  return Math.round(now - (now - oldest) * left * left);
}

/** The position of a moment, within the slider. */
export function positionOf(moment: number, oldest: number, now: number): number {
  const share = Math.min(1, Math.max(0, (now - moment) / Math.max(1, now - oldest)));
  return Math.round((1 - Math.sqrt(share)) * STEPS);
}

/** The value of a datetime-local field: local time, to the second. */
export function fieldText(moment: number): string {
  const local = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
