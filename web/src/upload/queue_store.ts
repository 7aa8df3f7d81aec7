// The upload queue in IndexedDB, so it survives a reload. Each page has its own part and holds a lock for it; another
// page takes over the part of a page that was closed.
import { completed, resultOf } from '../indexed_db';
import type { TaskStore } from './queue.svelte';
import { CONTENTS, NAME, ROWS, askForQueue, contentOf, lockOf, openQueue, removeRows, rowsOf } from './stored_queue';
import type { Row } from './stored_queue';
import { Task } from './task.svelte';

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
  /** Tasks whose contents could not be stored. */
  #unstorable = new Set<string>();
  #isPaused = false;
  #isStoring = false;
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
      const db = await openQueue();
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
      this.#unstorable.delete(task.id);
    }
    this.#writeSoon();
  }

  /** Whether everything that is to be uploaded is stored, contents included. */
  get hasAll(): boolean {
    return !this.#isStoring && !this.#wanted.size && !this.#unstorable.size;
  }

  /** Paused uploads are not finished by the service worker. */
  setPaused(isPaused: boolean, tasks: readonly Task[]): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.save(tasks);
  }

  /** Stop writing; resolves when the last write has finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    this.#db.close();
  }

  /** Take over the tasks of closed pages, now and whenever another page is closed; `done` were finished without a page. */
  async takeOver(take: (tasks: Task[], done: number, arePaused: boolean) => void): Promise<void> {
    askForQueue();
    const rows = await rowsOf(this.#db, this.#user);
    const others = new Set(rows.map((row) => row.part).filter((part) => part !== this.#part));
    const earlier = rememberPart(this.#part);
    for (const part of others) {
      if (!navigator.locks && !earlier.includes(part)) continue;
      void withLock(part, async () => {
        const all = (await rowsOf(this.#db, this.#user)).filter((row) => row.part === part);
        const [done, left] = [all.filter((row) => row.isDone), all.filter((row) => !row.isDone)];
        if (done.length) {
          await removeRows(
            this.#db,
            done.map((row) => row.id),
          );
        }
        take(await this.#tasks(left), done.length, left.length > 0 && left.every((row) => row.isPaused));
      });
    }
  }

  #tasks(rows: Row[]): Promise<Task[]> {
    return Promise.all(
      rows.map(async (row) => {
        const file = await contentOf(this.#db, row.id);
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
    this.#isStoring = true;
    try {
      const writing = this.#db.transaction(CONTENTS, 'readwrite');
      for (const task of next) if (task.file) writing.objectStore(CONTENTS).put(task.file, task.id);
      await completed(writing);
      for (const task of next) this.#unstorable.delete(task.id);
      this.#batchSize = CONTENT_BATCH;
    } catch (problem) {
      for (const task of next) this.#contents.delete(task.id);
      this.#contentsFailed(next, problem);
    } finally {
      this.#isStoring = false;
    }
    this.#writeSoon();
  }

  /** Contents that cannot be stored are lost in a reload; an unreadable file must not prevent storing the others. */
  #contentsFailed(tasks: Task[], problem: unknown): void {
    if (problem instanceof DOMException && problem.name === 'QuotaExceededError') {
      this.#space = this.#storedBytes();
      for (const task of tasks) this.#unstorable.add(task.id);
    } else if (tasks.length > 1) {
      this.#batchSize = Math.ceil(tasks.length / 2);
      const remaining = tasks.filter((task) => task.file);
      this.#wanted = new Map([...remaining.map((task) => [task.id, task] as const), ...this.#wanted]);
    } else if (tasks[0]) this.#unstorable.add(tasks[0].id);
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
    const isPaused = this.#isPaused;
    return { id, user, part, ...location, isFolder, size, modified, hash, as, upload, decision, problem, isPaused };
  }
}

/** Remove everything stored for the user, including by other pages. */
export async function wipe(user: string): Promise<void> {
  const db = await openQueue();
  try {
    await removeRows(db, await resultOf(db.transaction(ROWS).objectStore(ROWS).index('user').getAllKeys(user)));
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
  await navigator.locks.request(lockOf(part), async () => {
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
