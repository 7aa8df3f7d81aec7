// A memory's title in the page's language, from the day or month in its id; the server's titles are in English.
import type { Schemas } from '../api/client';
import { region, t } from '../words';
import { monthName } from './months';

const KEY = /^(day|month)-(\d{4})-(\d{2})/;
const SEASONS = ['season.winter', 'season.spring', 'season.summer', 'season.autumn'] as const;

export interface Where {
  readonly city: string;
  readonly isSouth: boolean;
}

/** `One year ago`, `Lisbon, spring 2024`, `November 2024`. */
export function memoryTitle(
  { spotLightId, title }: Pick<Schemas['Spotlight'], 'spotLightId' | 'title'>,
  now = new Date(),
  where: Where | null = null,
): string {
  const [, kind, year, month] = KEY.exec(spotLightId) ?? [];
  if (kind === 'month' && where) {
    // December is the first month of winter, in the north.
    const season = (Math.floor((Number(month) % 12) / 3) + (where.isSouth ? 2 : 0)) % 4;
    return t('photos.memory.place', { place: where.city, season: t(SEASONS[season]!), year: year! });
  }
  if (kind === 'month') return monthName({ year: Number(year), month: Number(month) });
  const years = now.getUTCFullYear() - Number(year);
  if (kind === 'day' && years === 1) return t('photos.memory.one-year');
  if (kind === 'day') return new Intl.RelativeTimeFormat(region).format(-years, 'year');
  return title;
}
