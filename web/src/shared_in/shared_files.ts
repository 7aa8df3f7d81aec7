// Files that other apps have shared with Skyshelf. The service worker receives them before a page is open, so they are
// stored in the browser until a logged-in user accepts them.
import { completed, resultOf } from '../indexed_db';

const NAME = 'skyshelf-shared-in';
const FILES = 'files';

export async function storeShared(files: readonly File[]): Promise<void> {
  const db = await openDatabase();
  try {
    const transaction = db.transaction(FILES, 'readwrite');
    for (const file of files) transaction.objectStore(FILES).add(file);
    await completed(transaction);
  } finally {
    db.close();
  }
}

/** The waiting files, which stay stored. */
export async function waitingShared(): Promise<File[]> {
  const db = await openDatabase();
  try {
    return await resultOf(db.transaction(FILES).objectStore(FILES).getAll() as IDBRequest<File[]>);
  } finally {
    db.close();
  }
}

/** The waiting files, removed from the store: if two pages call this at once, only one gets them. */
export async function takeShared(): Promise<File[]> {
  const db = await openDatabase();
  try {
    const transaction = db.transaction(FILES, 'readwrite');
    const waiting = transaction.objectStore(FILES).getAll() as IDBRequest<File[]>;
    transaction.objectStore(FILES).clear();
    await completed(transaction);
    return waiting.result;
  } finally {
    db.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(FILES, { autoIncrement: true });
  return resultOf(opening);
}
