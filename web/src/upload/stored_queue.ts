// The stored queue in IndexedDB, as the page and the service worker share it. Work on a part of it needs that
// part's lock: a page for as long as it is open, the service worker only once the page is closed.
import { completed, resultOf } from '../indexed_db';
import type { Decision, Problem, Wanted } from './task.svelte';

export interface Row extends Omit<Wanted, 'file'> {
  id: string;
  user: string;
  part: string;
  hash: string | null;
  as: string | null;
  upload?: string | null;
  decision: Decision | null;
  problem: Problem | null;
  /** The user has paused the uploads: they wait for a page. */
  isPaused?: boolean;
  /** Uploaded by the service worker; the next page counts and removes it. */
  isDone?: boolean;
}

export const NAME = 'skyshelf-uploads';
export const ROWS = 'rows';
export const CONTENTS = 'contents';
/** How the tags of the browser's Background Sync begin. Every page has its own: one that waits must not delay another. */
export const SYNC_TAG = `${NAME}:`;

export function openQueue(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('user', 'user');
    opening.result.createObjectStore(CONTENTS);
  };
  return resultOf(opening);
}

export function lockOf(part: string): string {
  return `${NAME}:${part}`;
}

export function allRows(db: IDBDatabase): Promise<Row[]> {
  return resultOf(db.transaction(ROWS).objectStore(ROWS).getAll() as IDBRequest<Row[]>);
}

export function rowsOf(db: IDBDatabase, user: string): Promise<Row[]> {
  return resultOf(db.transaction(ROWS).objectStore(ROWS).index('user').getAll(user) as IDBRequest<Row[]>);
}

export async function contentOf(db: IDBDatabase, id: string): Promise<File | null> {
  const found = db.transaction(CONTENTS).objectStore(CONTENTS).get(id) as IDBRequest<File | undefined>;
  return (await resultOf(found)) ?? null;
}

/** Change a row, unless it has been removed: its user may have logged out. */
export async function changeRow(db: IDBDatabase, id: string, change: Partial<Row>): Promise<void> {
  const writing = db.transaction([ROWS, CONTENTS], 'readwrite');
  const rows = writing.objectStore(ROWS);
  const row = await resultOf(rows.get(id) as IDBRequest<Row | undefined>);
  if (row) rows.put({ ...row, ...change });
  if (change.isDone) writing.objectStore(CONTENTS).delete(id);
  await completed(writing);
}

export async function removeRows(db: IDBDatabase, ids: readonly IDBValidKey[]): Promise<void> {
  const writing = db.transaction([ROWS, CONTENTS], 'readwrite');
  for (const id of ids) {
    writing.objectStore(ROWS).delete(id);
    writing.objectStore(CONTENTS).delete(id);
  }
  await completed(writing);
}

/** Pages that start ask the service worker to leave the uploads to them: they show the progress, and need not wait. */
export function askForQueue(): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(NAME);
  channel.postMessage('page');
  channel.close();
}
