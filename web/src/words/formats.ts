// Sizes, days and times as people read them, in the language of the page.
import { region } from './index';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes in the largest unit that leaves a readable number: 1.2 MB. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(region, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

export function day(ms: number): string {
  return new Date(ms).toLocaleDateString(region, { year: 'numeric', month: 'short', day: 'numeric' });
}

export function moment(ms: number): string {
  return new Date(ms).toLocaleString(region, { dateStyle: 'medium', timeStyle: 'short' });
}

/** How long ago, in the largest fitting unit. */
export function ago(ms: number, now = Date.now()): string {
  const seconds = Math.round((ms - now) / 1000);
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const format = new Intl.RelativeTimeFormat(region, { numeric: 'auto' });
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(0, 'minute');
}

// Marks that turn the direction of text, and characters without a shape, hide what a name really is.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name with everything invisible made visible. */
export function shown(name: string): string {
  return name.replace(HIDDEN, (mark) => `\u{fffd}${mark.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}
