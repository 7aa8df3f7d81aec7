// All pictures whose place is known, and a list of some of them for the viewer, which loads each when it is shown.
import { GET, dataOf } from '../api/client';
import type { DriveChanges } from '../app/live';
import { itemOf, type Item } from '../files/item';
import type { ViewSource } from '../preview/source.svelte';
import { coordinatesOf, photoOf, type Coordinates, type Photo, type PhotoFact } from './photo';

const PAGE_SIZE = 5000;
const MAX_PAGES = 200;

export interface Located extends Coordinates {
  readonly fact: PhotoFact;
}

/** Yields one page after another. */
export async function loadPlaces(signal: AbortSignal, onPage: (found: Located[]) => void): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
    const { places, nextCursor } = await dataOf(GET('/x/v1/photos/places', { params: { query }, signal }));
    onPage(places.flatMap((fact) => (coordinatesOf(fact) ? [{ fact, ...coordinatesOf(fact)! }] : [])));
    if (!nextCursor) return;
    cursor = nextCursor;
  }
}

export class PlacesSource implements ViewSource {
  #facts = $state.raw<readonly PhotoFact[]>([]);
  #loaded = $state.raw<ReadonlyMap<string, Photo>>(new Map());
  #asked = new Set<string>();

  constructor(facts: readonly PhotoFact[]) {
    this.#facts = facts;
  }

  get count(): number {
    return this.#facts.length;
  }

  at(index: number): Photo | undefined {
    const fact = this.#facts[index];
    if (!fact) return undefined;
    const known = this.#loaded.get(fact.objectKey);
    if (!known && !this.#asked.has(fact.objectKey)) {
      this.#asked.add(fact.objectKey);
      queueMicrotask(() => void this.#load(fact));
    }
    return known;
  }

  indexOf(key: string): number {
    return this.#facts.findIndex((fact) => fact.objectKey === key);
  }

  put(...changed: Item[]): void {
    const next = new Map(this.#loaded);
    for (const item of changed) {
      const fact = this.#facts[this.indexOf(item.key)];
      if (fact) next.set(item.key, photoOf(item, fact));
    }
    this.#loaded = next;
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    this.#facts = this.#facts.filter((fact) => !gone.has(fact.objectKey));
  }

  applyChanges({ items, gone }: DriveChanges): void {
    this.put(...items);
    this.drop(gone);
  }

  async #load(fact: PhotoFact): Promise<void> {
    try {
      const path = { object_key: fact.objectKey };
      const { object } = await dataOf(GET('/x/v1/objects/{object_key}', { params: { path } }));
      this.#loaded = new Map(this.#loaded).set(fact.objectKey, photoOf(itemOf(object), fact));
    } catch {
      this.#asked.delete(fact.objectKey);
    }
  }
}
