// A picture or video of the timeline: an item with its shape, and when and where it was taken.
import type { Schemas } from '../api/client';
import type { Item } from '../files/item';
import { region } from '../words';

export type PhotoFact = Schemas['PhotoFact'];

export interface Photo extends Item {
  /** What the camera's clock showed, as if it were UTC. */
  readonly taken: number;
  /** False where the date is that of the file. */
  readonly isDated: boolean;
  /** Width by height; null if unknown. */
  readonly ratio: number | null;
  readonly place: Coordinates | null;
}

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const DAY_MS = 86_400_000;

export function photoOf(item: Item, fact: PhotoFact | undefined): Photo {
  return {
    ...item,
    taken: fact?.takenDate ?? item.created,
    isDated: fact?.takenDate !== undefined,
    ratio: fact?.width && fact.height ? fact.width / fact.height : null,
    place: fact ? coordinatesOf(fact) : null,
  };
}

export function coordinatesOf({
  latitude,
  longitude,
}: {
  latitude?: number | null;
  longitude?: number | null;
}): Coordinates | null {
  return latitude == null || longitude == null ? null : { latitude, longitude };
}

/** The day of a moment, counted from 1970. */
export function dayOf(taken: number): number {
  return Math.floor(taken / DAY_MS);
}

/** `Sat 14 November`, with the year unless it is the present one. */
export function dayName(day: number, now = new Date(), month: 'long' | 'short' = 'long'): string {
  const date = new Date(day * DAY_MS);
  const isThisYear = date.getUTCFullYear() === now.getFullYear();
  return date.toLocaleDateString(region, {
    weekday: 'short',
    day: 'numeric',
    month,
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  });
}

/** The date and the time that the camera's clock showed. */
export function momentName(taken: number): string {
  return new Date(taken).toLocaleString(region, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
}
