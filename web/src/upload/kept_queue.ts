// The queue as the browser keeps it, so that a reload loses nothing. Every page has a part of its own, and holds a lock
// for it; the part of a page that is gone is taken over by one that is there.
import type { Keeper } from './queue.svelte';
import { Task, type Decision, type Problem, type Wanted } from './task.svelte';

interface Row extends Omit<Wanted, 'file'> {
  id: string;
  user: string;
  part: string;
  hash: string | null;
  as: string | null;
  upload?: string | null;
  decision: Decision | null;
  problem: Problem | null;
}

const NAME = 'skyshelf-uploads';
const ROWS = 'rows';
const CONTENTS = 'contents';
const WRITE_AFTER_MS = 250;
// A browser copies what it keeps. More than this is not copied ahead; it is kept when those before it are through.
const CONTENT_BYTES = 4 * 1024 ** 3;
const SHARE_OF_FREE_ROOM = 0.25;
const CONTENTS_AT_ONCE = 200;

export class KeptQueue implements Keeper {
  #db: IDBDatabase;
  #user: string;
  #part: string;
  #room: number;
  #changed = new Map<string, Task | null>();
  #parts = new Map<string, string>();
  /** Tasks in the order in which their contents are to be kept; those that are kept, with their bytes. */
  #wanted = new Map<string, Task>();
  #contents = new Map<string, number>();
  #atOnce = CONTENTS_AT_ONCE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(db: IDBDatabase, user: string, part: string, room: number) {
    this.#db = db;
    this.#user = user;
    this.#part = part;
    this.#room = room;
  }

  /** Null where the browser keeps nothing, as in some private windows. */
  static async open(user: string, part: string): Promise<KeptQueue | null> {
    try {
      const db = await opened();
      const estimate = await navigator.storage?.estimate?.();
      const free = estimate ? (estimate.quota ?? 0) - (estimate.usage ?? 0) : CONTENT_BYTES;
      return new KeptQueue(db, user, part, Math.min(CONTENT_BYTES, free * SHARE_OF_FREE_ROOM));
    } catch {
      return null;
    }
  }

  save(tasks: readonly Task[]): void {
    for (const task of tasks) {
      this.#changed.set(task.id, task);
      if (task.file && !this.#contents.has(task.id)) this.#wanted.set(task.id, task);
    }
    this.#writeSoon();
  }

  forget(tasks: readonly Task[]): void {
    for (const task of tasks) {
      this.#changed.set(task.id, null);
      this.#wanted.delete(task.id);
    }
    this.#writeSoon();
  }

  /** Write nothing any more; ends when nothing is being written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    this.#db.close();
  }

  /** Hand over what pages that are gone have left, now and whenever another one goes. */
  async takeOver(take: (tasks: Task[]) => void): Promise<void> {
    const rows = await this.#rows();
    const others = new Set(rows.map((row) => row.part).filter((part) => part !== this.#part));
    const earlier = rememberPart(this.#part);
    for (const part of others) {
      if (!navigator.locks && !earlier.includes(part)) continue;
      void held(part, async () => take(await this.#tasks(part)));
    }
  }

  async #rows(): Promise<Row[]> {
    const all = this.#db.transaction(ROWS).objectStore(ROWS).index('user');
    return done(all.getAll(this.#user) as IDBRequest<Row[]>);
  }

  async #tasks(part: string): Promise<Task[]> {
    const rows = (await this.#rows()).filter((row) => row.part === part);
    const store = this.#db.transaction(CONTENTS).objectStore(CONTENTS);
    return Promise.all(
      rows.map(async (row) => {
        const file = (await done(store.get(row.id) as IDBRequest<File | undefined>)) ?? null;
        if (file) this.#contents.set(row.id, file.size);
        this.#parts.set(row.id, row.part);
        return taskOf(row, file);
      }),
    );
  }

  #writeSoon(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write()).catch(() => {});
    }, WRITE_AFTER_MS);
  }

  async #write(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    const writing = this.#db.transaction(ROWS, 'readwrite');
    const rows = writing.objectStore(ROWS);
    for (const [id, task] of changed) {
      if (task) rows.put(this.#rowOf(task));
      else rows.delete(id);
    }
    await finished(writing);
    await this.#dropContents(changed.filter(([, task]) => !task).map(([id]) => id));
    await this.#keepContents();
  }

  async #dropContents(ids: string[]): Promise<void> {
    const kept = ids.filter((id) => this.#contents.delete(id));
    if (!kept.length) return;
    const writing = this.#db.transaction(CONTENTS, 'readwrite');
    for (const id of kept) writing.objectStore(CONTENTS).delete(id);
    await finished(writing);
  }

  async #keepContents(): Promise<void> {
    const next = this.#nextContents();
    if (!next.length) return;
    for (const task of next) {
      this.#wanted.delete(task.id);
      this.#contents.set(task.id, task.size);
    }
    try {
      const writing = this.#db.transaction(CONTENTS, 'readwrite');
      for (const task of next) if (task.file) writing.objectStore(CONTENTS).put(task.file, task.id);
      await finished(writing);
      this.#atOnce = CONTENTS_AT_ONCE;
    } catch (problem) {
      for (const task of next) this.#contents.delete(task.id);
      this.#notKept(next, problem);
    }
    this.#writeSoon();
  }

  /** What cannot be kept is not there after a reload; one file that cannot be read must not take others with it. */
  #notKept(tasks: Task[], problem: unknown): void {
    if (problem instanceof DOMException && problem.name === 'QuotaExceededError') {
      this.#room = this.#keptBytes();
    } else if (tasks.length > 1) {
      this.#atOnce = Math.ceil(tasks.length / 2);
      const again = tasks.filter((task) => task.file);
      this.#wanted = new Map([...again.map((task) => [task.id, task] as const), ...this.#wanted]);
    }
  }

  #nextContents(): Task[] {
    const next: Task[] = [];
    let bytes = this.#keptBytes();
    for (const task of this.#wanted.values()) {
      if (next.length >= this.#atOnce) break;
      // A file that is too large for the room does not keep smaller ones out of it.
      if (bytes + task.size > this.#room) continue;
      bytes += task.size;
      next.push(task);
    }
    return next;
  }

  #keptBytes(): number {
    let bytes = 0;
    for (const one of this.#contents.values()) bytes += one;
    return bytes;
  }

  #rowOf(task: Task): Row {
    const { id, folderKey, path, name, isFolder, size, modified, boardKey, hash, as, upload, decision, problem } = task;
    const part = this.#parts.get(id) ?? this.#part;
    const user = this.#user;
    const place = { folderKey, path: [...path], name, boardKey };
    return { id, user, part, ...place, isFolder, size, modified, hash, as, upload, decision, problem };
  }
}

/** Take everything of that person out of the browser, also what other pages have left. */
export async function wipe(user: string): Promise<void> {
  const db = await opened();
  try {
    const writing = db.transaction([ROWS, CONTENTS], 'readwrite');
    const rows = writing.objectStore(ROWS);
    const ids = await done(rows.index('user').getAllKeys(user));
    for (const id of ids) {
      rows.delete(id);
      writing.objectStore(CONTENTS).delete(id);
    }
    await finished(writing);
  } finally {
    db.close();
  }
}

function taskOf(row: Row, file: File | null): Task {
  const task = new Task(row.id, { ...row, file });
  task.hash = row.hash;
  task.as = row.as;
  task.upload = row.upload ?? null;
  task.decision = row.decision;
  task.problem = row.problem;
  return task;
}

/** Do it with the lock of that part, which is then held for as long as the page lives. */
export async function held(part: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(`${NAME}:${part}`, async () => {
    await work();
    await new Promise<never>(() => {});
  });
}

/**
 * The parts that this tab had before; the new one is added to them. Browsers have locks only where a page came over TLS
 * or from the same machine: without them a tab takes over only what was its own before the reload.
 */
function rememberPart(part: string): string[] {
  const earlier = (sessionStorage.getItem(NAME) ?? '').split(' ').filter(Boolean);
  sessionStorage.setItem(NAME, [...earlier.slice(-20), part].join(' '));
  return earlier;
}

function opened(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('user', 'user');
    opening.result.createObjectStore(CONTENTS);
  };
  return done(opening);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'));
  });
}

function finished(writing: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    writing.oncomplete = () => resolve();
    writing.onabort = () => reject(writing.error ?? new Error('Nothing was written.'));
  });
}
