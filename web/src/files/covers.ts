// Pictures that show what folders hold, asked for in batches.
import { SvelteMap } from 'svelte/reactivity';
import { GET, dataOf } from '../api/client';
import type { Item } from './item';

export type CoverPicture = Pick<Item, 'key' | 'hash' | 'version'>;

const BATCH_SIZE = 50;
const KEPT = 2000;
const WAIT_MS = 60;
/** A folder whose content changed has another cover after a while. */
const FRESH_MS = 60_000;

const known = new SvelteMap<string, CoverPicture[]>();
const asked = new Map<string, number>();
const waiting = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function coverOf(folder: Item): CoverPicture[] {
  return known.get(folder.key) ?? [];
}

/** Ask for the folder's cover, together with others. Returns a function that withdraws the request. */
export function wantCover(folder: Item): () => void {
  if (Date.now() - (asked.get(folder.key) ?? 0) < FRESH_MS) return () => {};
  waiting.add(folder.key);
  timer ??= setTimeout(() => void ask(), WAIT_MS);
  return () => waiting.delete(folder.key);
}

async function ask(): Promise<void> {
  timer = undefined;
  const batch = [...waiting].slice(0, BATCH_SIZE);
  for (const key of batch) {
    waiting.delete(key);
    asked.set(key, Date.now());
  }
  if (waiting.size) timer = setTimeout(() => void ask(), 0);
  if (!batch.length) return;
  try {
    const { covers } = await dataOf(GET('/x/v1/covers', { params: { query: { objectKeys: batch.join(',') } } }));
    if (known.size > KEPT) known.clear();
    const found = new Map(covers.map((cover) => [cover.objectKey, cover.pictures]));
    for (const key of batch) {
      const pictures = found.get(key) ?? [];
      known.set(
        key,
        pictures.map(({ objectKey, hash, version }) => ({ key: objectKey, hash, version })),
      );
    }
  } catch {
    // A folder without a cover shows its icon.
  }
}
