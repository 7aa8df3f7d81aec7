// A memory's title in the page's language, from the day or month in its id; the server's titles are in English.
import type { Schemas } from '../api/client';
import { region } from '../words';
import { monthName } from './months';

const KEY = /^(day|month)-(\d{4})-(\d{2})/;

export function memoryTitle(
  { spotLightId, title }: Pick<Schemas['Spotlight'], 'spotLightId' | 'title'>,
  now = new Date(),
): string {
  const [, kind, year, month] = KEY.exec(spotLightId) ?? [];
  if (kind === 'month') return monthName({ year: Number(year), month: Number(month) });
  if (kind === 'day') return new Intl.RelativeTimeFormat(region).format(Number(year) - now.getUTCFullYear(), 'year');
  return title;
}
