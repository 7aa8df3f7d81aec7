// The folders above items that are listed outside their folder, asked for in batches.
import { SvelteMap } from 'svelte/reactivity';
import { GET, dataOf, type Schemas } from '../api/client';
import { t } from '../words';
import { visibleName } from '../words/formats';
import type { Item } from './item';

export interface Place {
  /** Where the item is, or was before it was trashed: names from the top folder down. */
  names: string[];
  /** Whether that folder can be opened. */
  isThere: boolean;
  /** When the item was trashed; null outside the trash. */
  trashed: number | null;
}

const BATCH_SIZE = 200;
const KEPT = 5000;
const WAIT_MS = 30;

const known = new SvelteMap<string, Place>();
const asked = new Set<string>();
const waiting = new Map<string, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

// Moved, renamed or trashed items have another version of their place.
function nameOf(item: Item): string {
  return `${item.key} ${item.parentKey} ${item.updated}`;
}

export function placeOf(item: Item): Place | undefined {
  return known.get(nameOf(item));
}

export function wantPlace(item: Item): void {
  const name = nameOf(item);
  if (asked.has(name)) return;
  asked.add(name);
  waiting.set(item.key, name);
  timer ??= setTimeout(() => void ask(), WAIT_MS);
}

/** The path as text; the top folder is named after its section. */
export function pathText(place: Place): string {
  return place.names.length ? place.names.map(visibleName).join(' / ') : t('section.files');
}

export function placesOf(answer: Schemas['Locations']): Map<string, Place> {
  const folders = new Map(answer.folders.map((folder) => [folder.objectKey, folder]));
  return new Map(
    answer.objects.map((object) => {
      const names: string[] = [];
      let folder = folders.get(object.parentObjectKey ?? '');
      // The root has no parent, and its name is not shown.
      while (folder?.parentObjectKey) {
        names.unshift(folder.objectName);
        folder = folders.get(folder.parentObjectKey);
      }
      return [object.objectKey, { names, isThere: object.isParentVisible, trashed: object.trashedDate ?? null }];
    }),
  );
}

async function ask(): Promise<void> {
  timer = undefined;
  const batch = [...waiting].slice(0, BATCH_SIZE);
  for (const [key] of batch) waiting.delete(key);
  if (waiting.size) timer = setTimeout(() => void ask(), 0);
  try {
    const query = { objectKeys: batch.map(([key]) => key).join(',') };
    const places = placesOf(await dataOf(GET('/x/v1/locations', { params: { query } })));
    if (known.size > KEPT) {
      known.clear();
      asked.clear();
    }
    for (const [key, name] of batch) {
      const place = places.get(key);
      if (place) known.set(name, place);
    }
  } catch {
    // Lists work without paths; the next time they are shown they ask again.
    for (const [, name] of batch) asked.delete(name);
  }
}
