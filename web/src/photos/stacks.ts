// Pictures that belong together are shown as one: the picture and the film of a live photo, and the pictures of a burst.
import type { Photo } from './photo';

export interface Stack {
  readonly kind: 'live' | 'burst';
  /** Indexes in the month; the first one is shown. */
  readonly parts: readonly number[];
}

type Part = Pick<Photo, 'name' | 'kind' | 'parentKey' | 'taken' | 'isDated' | 'ratio'>;

const HOUR_MS = 3_600_000;
const SAME_MOMENT_MS = 5000;
const MAX_ZONE_HOURS = 14;
const LEAST_BURST = 3;
const MOST_PER_SECOND = 30;
const LIVE_PICTURE = /\.(heic|heif|jpe?g)$/i;
const LIVE_FILM = /\.(mov|mp4)$/i;
/** Names used by Pixel, Google Camera and Samsung phones. */
const BURST_NAMES = [/^(.+)\.BURST-\d+/i, /_(BURST\d{14,})/i, /^(\d{8}_\d{6})_\d{3}\.\w+$/];
const COVER = /COVER/i;
const NUMBERED = /^(.*?)(\d+)(\.\w+)$/;

/** The film is inside the picture's file. */
export function isMotionPhoto({ name, kind }: Pick<Part, 'name' | 'kind'>): boolean {
  return kind === 'image' && (/\.MP\.jpe?g$/i.test(name) || /^MVIMG_.*\.jpe?g$/i.test(name));
}

/** The stacks of a month, by the indexes of their parts. */
export function stacksOf(photos: readonly Part[]): Map<number, Stack> {
  const found = new Map<number, Stack>();
  const stack = (kind: Stack['kind'], parts: number[]): void => {
    for (const part of parts) found.set(part, { kind, parts });
  };
  for (const parts of burstsOf(photos)) stack('burst', parts);
  for (const [picture, film] of livePairs(photos)) if (!found.has(picture)) stack('live', [picture, film]);
  return found;
}

function livePairs(photos: readonly Part[]): [number, number][] {
  const films = new Map<string, number>();
  photos.forEach((photo, index) => {
    if (photo.kind === 'video' && LIVE_FILM.test(photo.name)) films.set(pairName(photo, LIVE_FILM), index);
  });
  if (!films.size) return [];
  const pairs: [number, number][] = [];
  photos.forEach((photo, index) => {
    if (photo.kind !== 'image' || !LIVE_PICTURE.test(photo.name)) return;
    const film = films.get(pairName(photo, LIVE_PICTURE));
    if (film !== undefined && isSameMoment(photo.taken, photos[film]!.taken)) {
      pairs.push([index, film]);
      films.delete(pairName(photo, LIVE_PICTURE));
    }
  });
  return pairs;
}

function pairName(photo: Part, extension: RegExp): string {
  return `${photo.parentKey}/${photo.name.replace(extension, '').toLowerCase()}`;
}

/** Films often have the time in UTC where pictures have the camera's. */
function isSameMoment(one: number, other: number): boolean {
  const apart = Math.abs(one - other);
  const hours = Math.round(apart / HOUR_MS);
  return hours <= MAX_ZONE_HOURS && Math.abs(apart - hours * HOUR_MS) <= SAME_MOMENT_MS;
}

function burstsOf(photos: readonly Part[]): number[][] {
  const groups = new Map<string, number[]>();
  photos.forEach((photo, index) => {
    if (photo.kind !== 'image') return;
    const name = burstName(photo);
    if (name === null) return;
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  });
  const bursts: number[][] = [];
  for (const [name, group] of groups) {
    const isNamed = name.startsWith('=');
    if (group.length < (isNamed ? 2 : LEAST_BURST) || (!isNamed && !isSequence(group.map((index) => photos[index]!))))
      continue;
    // The picture that the phone has chosen, or else the first.
    const cover = group.find((index) => COVER.test(photos[index]!.name)) ?? group.at(-1)!;
    bursts.push([cover, ...group.filter((index) => index !== cover).reverse()]);
  }
  return bursts;
}

/** What the pictures of a burst have in common; null for a picture that cannot be part of one. */
function burstName(photo: Part): string | null {
  for (const pattern of BURST_NAMES) {
    const known = pattern.exec(photo.name)?.[1];
    if (known) return `=${photo.parentKey}/${known}`;
  }
  const numbered = NUMBERED.exec(photo.name);
  // Without the camera's date, files that were copied in the same second would be taken for a burst.
  if (!numbered || !photo.isDated) return null;
  const second = Math.floor(photo.taken / 1000);
  return `${photo.parentKey}/${second}/${photo.ratio}/${numbered[1]}${numbered[3]}`;
}

/** Whether the numbers in their names follow each other. */
function isSequence(photos: readonly Part[]): boolean {
  const numbers = photos.map(({ name }) => Number(NUMBERED.exec(name)![2])).sort((one, other) => one - other);
  return photos.length <= MOST_PER_SECOND && numbers.at(-1)! - numbers[0]! === photos.length - 1;
}
