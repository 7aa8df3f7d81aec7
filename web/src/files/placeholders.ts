// Tiny pictures, stored by the server with the thumbnails, which are shown until a thumbnail has loaded.
import { SvelteMap } from 'svelte/reactivity';
import { GET, dataOf } from '../api/client';

type Pictured = { readonly key: string; readonly hash: string | null; readonly version: number };

const BATCH_SIZE = 200;
const KEPT = 5000;
/** What is cached by the browser has loaded by then, and needs no placeholder. */
const WAIT_MS = 40;

const known = new SvelteMap<string, string>();
const asked = new Set<string>();
const waiting = new Map<string, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function nameOf(item: Pictured): string {
  return `${item.key} ${item.hash ?? item.version}`;
}

export function placeholderOf(item: Pictured): string | undefined {
  return known.get(nameOf(item));
}

/** Ask for the item's placeholder, together with others. Returns a function that withdraws the request. */
export function wantPlaceholder(item: Pictured): () => void {
  const name = nameOf(item);
  if (asked.has(name)) return () => {};
  waiting.set(item.key, name);
  timer ??= setTimeout(() => void ask(), WAIT_MS);
  return () => waiting.delete(item.key);
}

async function ask(): Promise<void> {
  timer = undefined;
  const batch = [...waiting].slice(0, BATCH_SIZE);
  for (const [key, name] of batch) {
    waiting.delete(key);
    asked.add(name);
  }
  if (waiting.size) timer = setTimeout(() => void ask(), 0);
  if (!batch.length) return;
  const names = new Map(batch);
  try {
    const query = { objectKeys: [...names.keys()].join(',') };
    const { placeholders } = await dataOf(GET('/x/v1/placeholders', { params: { query } }));
    if (known.size > KEPT) known.clear();
    for (const { objectKey, image } of placeholders) known.set(names.get(objectKey) ?? objectKey, image);
  } catch {
    // Without placeholders the pictures appear all the same.
  } finally {
    // A thumbnail that was only made now has one the next time.
    for (const name of names.values()) if (!known.has(name)) asked.delete(name);
  }
}
