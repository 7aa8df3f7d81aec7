// The upload queue in IndexedDB, so it survives a reload. Each page has its own part and holds a lock for it; another
// page takes over the part of a page that was closed.
import { completed, resultOf } from '../indexed_db';
import type { TaskStore } from './queue.svelte';
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
const WRITE_DELAY_MS = 250;
// Browsers copy stored files. Beyond this limit, files are stored only once earlier ones are done.
const MAX_CONTENT_BYTES = 4 * 1024 ** 3;
const SHARE_OF_FREE_SPACE = 0.25;
const CONTENT_BATCH = 200;

export class QueueStore implements TaskStore {
  #db: IDBDatabase;
  #user: string;
  #part: string;
  #space: number;
  #changed = new Map<string, Task | null>();
  #parts = new Map<string, string>();
  /** Tasks whose contents are still to be stored, in order. */
  #wanted = new Map<string, Task>();
  /** The sizes of the stored contents. */
  #contents = new Map<string, number>();
  #batchSize = CONTENT_BATCH;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(db: IDBDatabase, user: string, part: string, space: number) {
    this.#db = db;
    this.#user = user;
    this.#part = part;
    this.#space = space;
  }

  /** Null if the browser offers no storage, as in some private windows. */
  static async open(user: string, part: string): Promise<QueueStore | null> {
    try {
      const db = await openDatabase();
      const estimate = await navigator.storage?.estimate?.();
      const free = estimate ? (estimate.quota ?? 0) - (estimate.usage ?? 0) : MAX_CONTENT_BYTES;
      return new QueueStore(db, user, part, Math.min(MAX_CONTENT_BYTES, free * SHARE_OF_FREE_SPACE));
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

  /** Stop writing; resolves when the last write has finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    this.#db.close();
  }

  /** Take over the tasks of closed pages, now and whenever another page is closed. */
  async takeOver(take: (tasks: Task[]) => void): Promise<void> {
    const rows = await this.#rows();
    const others = new Set(rows.map((row) => row.part).filter((part) => part !== this.#part));
    const earlier = rememberPart(this.#part);
    for (const part of others) {
      if (!navigator.locks && !earlier.includes(part)) continue;
      void withLock(part, async () => take(await this.#tasks(part)));
    }
  }

  async #rows(): Promise<Row[]> {
    const all = this.#db.transaction(ROWS).objectStore(ROWS).index('user');
    return resultOf(all.getAll(this.#user) as IDBRequest<Row[]>);
  }

  async #tasks(part: string): Promise<Task[]> {
    const rows = (await this.#rows()).filter((row) => row.part === part);
    const store = this.#db.transaction(CONTENTS).objectStore(CONTENTS);
    return Promise.all(
      rows.map(async (row) => {
        const file = (await resultOf(store.get(row.id) as IDBRequest<File | undefined>)) ?? null;
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
    }, WRITE_DELAY_MS);
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
    await completed(writing);
    await this.#dropContents(changed.filter(([, task]) => !task).map(([id]) => id));
    await this.#storeContents();
  }

  async #dropContents(ids: string[]): Promise<void> {
    const stored = ids.filter((id) => this.#contents.delete(id));
    if (!stored.length) return;
    const writing = this.#db.transaction(CONTENTS, 'readwrite');
    for (const id of stored) writing.objectStore(CONTENTS).delete(id);
    await completed(writing);
  }

  async #storeContents(): Promise<void> {
    const next = this.#nextContents();
    if (!next.length) return;
    for (const task of next) {
      this.#wanted.delete(task.id);
      this.#contents.set(task.id, task.size);
    }
    try {
      const writing = this.#db.transaction(CONTENTS, 'readwrite');
      for (const task of next) if (task.file) writing.objectStore(CONTENTS).put(task.file, task.id);
      await completed(writing);
      this.#batchSize = CONTENT_BATCH;
    } catch (problem) {
      for (const task of next) this.#contents.delete(task.id);
      this.#contentsFailed(next, problem);
    }
    this.#writeSoon();
  }

  /** Contents that cannot be stored are lost in a reload; an unreadable file must not prevent storing the others. */
  #contentsFailed(tasks: Task[], problem: unknown): void {
    if (problem instanceof DOMException && problem.name === 'QuotaExceededError') {
      this.#space = this.#storedBytes();
    } else if (tasks.length > 1) {
      this.#batchSize = Math.ceil(tasks.length / 2);
      const remaining = tasks.filter((task) => task.file);
      this.#wanted = new Map([...remaining.map((task) => [task.id, task] as const), ...this.#wanted]);
    }
  }

  #nextContents(): Task[] {
    const next: Task[] = [];
    let bytes = this.#storedBytes();
    for (const task of this.#wanted.values()) {
      if (next.length >= this.#batchSize) break;
      // A file that is too large does not keep out smaller ones.
      if (bytes + task.size > this.#space) continue;
      bytes += task.size;
      next.push(task);
    }
    return next;
  }

  #storedBytes(): number {
    let bytes = 0;
    for (const size of this.#contents.values()) bytes += size;
    return bytes;
  }

  #rowOf(task: Task): Row {
    const { id, folderKey, path, name, isFolder, size, modified, boardKey, hash, as, upload, decision, problem } = task;
    const part = this.#parts.get(id) ?? this.#part;
    const user = this.#user;
    const location = { folderKey, path: [...path], name, boardKey };
    return { id, user, part, ...location, isFolder, size, modified, hash, as, upload, decision, problem };
  }
}

/** Remove everything stored for the user, including by other pages. */
export async function wipe(user: string): Promise<void> {
  const db = await openDatabase();
  try {
    const writing = db.transaction([ROWS, CONTENTS], 'readwrite');
    const rows = writing.objectStore(ROWS);
    const ids = await resultOf(rows.index('user').getAllKeys(user));
    for (const id of ids) {
      rows.delete(id);
      writing.objectStore(CONTENTS).delete(id);
    }
    await completed(writing);
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

/** Run with the lock of that part, which is then held until the page is closed. */
export async function withLock(part: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(`${NAME}:${part}`, async () => {
    await work();
    await new Promise<never>(() => {});
  });
}

/**
 * The earlier parts of this tab; the new one is added to them. Browsers offer locks only over TLS or from localhost:
 * without them, a tab takes over only its own parts from before a reload.
 */
function rememberPart(part: string): string[] {
  const earlier = (sessionStorage.getItem(NAME) ?? '').split(' ').filter(Boolean);
  sessionStorage.setItem(NAME, [...earlier.slice(-20), part].join(' '));
  return earlier;
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('user', 'user');
    opening.result.createObjectStore(CONTENTS);
  };
  return resultOf(opening);
}
