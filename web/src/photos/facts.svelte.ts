// When and where pictures were taken, for pictures shown outside the timeline.
import { SvelteMap } from 'svelte/reactivity';
import { GET, dataOf } from '../api/client';
import type { Item } from '../files/item';
import { coordinatesOf, photoOf, type Coordinates, type Photo, type PhotoFact } from './photo';

const BATCH_SIZE = 200;
const known = new SvelteMap<string, PhotoFact | null>();

export interface Taken {
  readonly at: number | null;
  readonly place: Coordinates | null;
}

function isPhoto(item: Item): item is Photo {
  return 'taken' in item;
}

/** Null while it is unknown; `loadFacts` asks for it. */
export function takenOf(item: Item): Taken | null {
  if (isPhoto(item)) return { at: item.taken, place: item.place };
  const fact = known.get(nameOf(item));
  return fact ? { at: fact.takenDate ?? null, place: coordinatesOf(fact) } : null;
}

export async function loadFacts(items: readonly Item[]): Promise<void> {
  const wanted = items.filter(
    (item) => (item.kind === 'image' || item.kind === 'video') && !isPhoto(item) && !known.has(nameOf(item)),
  );
  for (let start = 0; start < wanted.length; start += BATCH_SIZE) {
    const batch = wanted.slice(start, start + BATCH_SIZE);
    for (const item of batch) known.set(nameOf(item), null);
    const query = { objectKeys: batch.map((item) => item.key).join(',') };
    try {
      const { facts } = await dataOf(GET('/x/v1/photos/facts', { params: { query } }));
      const byKey = new Map(facts.map((fact) => [fact.objectKey, fact]));
      for (const item of batch) known.set(nameOf(item), byKey.get(item.key) ?? null);
    } catch {
      // Pictures are shown without their facts, which are asked for again the next time.
      for (const item of batch) known.delete(nameOf(item));
    }
  }
}

/** Items with their facts, as far as they are known. */
export function photosOf(items: readonly Item[]): Photo[] {
  return items.map((item) => photoOf(item, known.get(nameOf(item)) ?? undefined));
}

function nameOf(item: Item): string {
  return `${item.key} ${item.version}`;
}
