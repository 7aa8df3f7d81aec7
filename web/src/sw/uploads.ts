// Finishes the uploads of closed pages, when the browser's Background Sync wakes the service worker. A page that is open
// holds the lock of its part of the queue; the lock is waited for, because the page may be closed at any time.
import { ApiError, Unreachable, isTransient } from '../api/errors';
import { delay } from '../api/delay';
import { Folders } from '../upload/folders';
import { md5Of } from '../upload/md5';
import { withRetry, type Connection } from '../upload/retry';
import { NAME, allRows, changeRow, contentOf, lockOf, openQueue, rowsOf, type Row } from '../upload/stored_queue';
import { uploadFile, type Uploading, type UploadContext } from '../upload/upload_file';
import { callsUntil } from './upload_server';

// Chromium ends an event after three minutes.
const LIMIT_MS = 150 * 1000;
const CONCURRENCY = 2;

const TOO_LATE = new DOMException('The time is over.', 'AbortError');
const PAGE_GOES_ON = new DOMException('A page goes on.', 'AbortError');

type StoredTask = Uploading & { id: string };

// Without a connection the browser calls again once there is one.
const connection: Connection = {
  restored: async () => {
    if (!navigator.onLine) throw new Unreachable();
    await delay(1000);
  },
};

/**
 * Resolves when nothing is left that could continue without the user; rejects if the browser should call again. However often
 * it calls, the locks allow one upload of each file.
 */
export async function finishUploads(): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(TOO_LATE), LIMIT_MS);
  const pages = new BroadcastChannel(NAME);
  pages.onmessage = () => stop.abort(PAGE_GOES_ON);
  const db = await openQueue();
  try {
    const parts = new Set((await allRows(db)).filter(isLeft).map((row) => row.part));
    const finish = async (part: string): Promise<void> => {
      await navigator.locks.request(lockOf(part), { signal: stop.signal }, () => finishPart(db, part, stop.signal));
    };
    const results = await Promise.allSettled([...parts].map(finish));
    if (stop.signal.reason === PAGE_GOES_ON) return;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && (await allRows(db)).some(isLeft)) throw failed.reason;
  } finally {
    clearTimeout(timer);
    pages.close();
    db.close();
  }
}

/** Paused uploads, and those with a problem, wait for the user. */
function isLeft(row: Row): boolean {
  return !row.isDone && !row.isPaused && !row.problem;
}

async function finishPart(db: IDBDatabase, part: string, signal: AbortSignal): Promise<void> {
  const { server, user } = callsUntil(signal);
  const retried = <T>(work: () => Promise<T>): Promise<T> => withRetry(work, connection, signal);
  // Another user may have logged in since; their session must not take these files.
  const rows = (await rowsOf(db, await retried(user))).filter((row) => row.part === part && isLeft(row));
  const context: UploadContext<StoredTask> = {
    server,
    connection,
    folders: new Folders(server, connection, () => {}),
    hash: async (blob, stopped) => {
      const md5 = await md5Of(blob, () => stopped.aborted);
      stopped.throwIfAborted();
      return md5 ?? '';
    },
    settings: memoized(() => retried(() => server.settings())),
    onStarted: ({ id, upload, as, hash }) => void changeRow(db, id, { upload, as, hash }),
  };
  const left = rows.values();
  const work = async (): Promise<void> => {
    for (const row of left) {
      signal.throwIfAborted();
      await finishRow(db, row, context, signal);
    }
  };
  // All must have ended before the lock is released.
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function finishRow(
  db: IDBDatabase,
  row: Row,
  context: UploadContext<StoredTask>,
  signal: AbortSignal,
): Promise<void> {
  const file = await contentOf(db, row.id);
  if (!file && !row.isFolder) return;
  const { upload = null, boardKey = null } = row;
  const task: StoredTask = { ...row, upload, boardKey, file, state: 'waiting', read: 0, sent: 0 };
  try {
    const outcome = await uploadFile(task, context, signal);
    // A name conflict needs the user's decision.
    if (outcome.is !== 'conflict') await changeRow(db, row.id, { isDone: true });
  } catch (problem) {
    const isSessionOver = problem instanceof ApiError && problem.status === 401;
    if (signal.aborted || isSessionOver || isTransient(problem)) throw problem;
    // The page tries it once more, and says what is wrong in the user's language.
  }
}

function memoized<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
