// Files that another application shared with the drive. The service worker gets them before any page is there, so they
// wait in the browser until somebody is logged in who takes them.

const NAME = 'skyshelf-shared-in';
const FILES = 'files';

export async function keepShared(files: readonly File[]): Promise<void> {
  const db = await opened();
  try {
    const writing = db.transaction(FILES, 'readwrite');
    for (const file of files) writing.objectStore(FILES).add(file);
    await finished(writing);
  } finally {
    db.close();
  }
}

/** What waits; it goes on waiting. */
export async function waitingShared(): Promise<File[]> {
  const db = await opened();
  try {
    const reading = db.transaction(FILES);
    const waiting = reading.objectStore(FILES).getAll() as IDBRequest<File[]>;
    await finished(reading);
    return waiting.result;
  } finally {
    db.close();
  }
}

/** What waits, which then waits no more: of two pages that ask at once, one gets it. */
export async function takeShared(): Promise<File[]> {
  const db = await opened();
  try {
    const taking = db.transaction(FILES, 'readwrite');
    const waiting = taking.objectStore(FILES).getAll() as IDBRequest<File[]>;
    taking.objectStore(FILES).clear();
    await finished(taking);
    return waiting.result;
  } finally {
    db.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(FILES, { autoIncrement: true });
  return new Promise((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('The browser keeps nothing.'));
  });
}

function finished(writing: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    writing.oncomplete = () => resolve();
    writing.onabort = () => reject(writing.error ?? new Error('Nothing was written.'));
  });
}
