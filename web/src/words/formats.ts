// Sizes, dates and times in the page's language.
import { region } from './index';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `512 B`, `952.8 KiB`, `1 GiB`: the same style as wire/sizes.py, with the language's decimal separator. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // The rounded value decides: 1,048,575 bytes are 1.0 MiB, not 1024.0 KiB.
  while (unit < UNITS.length - 1 && Math.round(value * 10) >= 10_240) {
    value /= 1024;
    unit += 1;
  }
  const digits = Number.isInteger(value) ? 0 : 1;
  const options = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: 'halfEven',
    useGrouping: false,
  };
  return `${value.toLocaleString(region, options as Intl.NumberFormatOptions)} ${UNITS[unit]}`;
}

export function day(ms: number): string {
  return new Date(ms).toLocaleDateString(region, { year: 'numeric', month: 'short', day: 'numeric' });
}

export function dateTime(ms: number): string {
  return new Date(ms).toLocaleString(region, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Relative time in the largest fitting unit, such as `2 days ago`. */
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

// Control characters, bidirectional marks and zero-width characters can disguise a name.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
// Joined emoji, and scripts that are written with joiners: there they are seen.
const SCRIPTS = 'Arab,Beng,Deva,Gujr,Guru,Khmr,Knda,Mlym,Mong,Mymr,Nkoo,Orya,Sinh,Syrc,Taml,Telu,Tibt'
  .split(',')
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINED = new RegExp(
  `(?<=[${SCRIPTS}])[\\u200c\\u200d](?=[${SCRIPTS}])` +
    '|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  'gu',
);

/** The name with invisible characters replaced by visible codes. */
export function visibleName(name: string): string {
  const joiners = new Set([...name.matchAll(JOINED)].map(({ index }) => index));
  return name.replace(HIDDEN, (mark, at: number) =>
    joiners.has(at) ? mark : `\u{fffd}${mark.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}
