// The page's uploads: connects the queue with the server, the browser's storage and the session.
import { connection } from '../app/connection.svelte';
import { ApiError } from '../api/errors';
import { notices } from '../app/notices.svelte';
import { notifications } from '../app/notifications.svelte';
import { session } from '../app/session.svelte';
import type { Item } from '../files/item';
import { t } from '../words';
import { walkDropped, wantedOf } from './dropped';
import { Folders } from './folders';
import { md5 } from './hashing';
import { QueueStore, wipe, withLock } from './queue_store';
import { forBoard, type BoardTarget } from './board_target';
import { background } from './background.svelte';
import { withRetry } from './retry';
import { Queue } from './queue.svelte';
import { server } from './page_server';

type Settings = Awaited<ReturnType<typeof server.settings>>;
type Listener = (items: readonly Item[]) => void;

// Batches the notifications, so a list is not sorted again for each of ten thousand files.
const NOTIFY_INTERVAL_MS = 300;

class Uploads {
  /** Null without a session. */
  queue = $state.raw<Queue | null>(null);
  /** The queues by user: several may have logged in since the page was loaded. */
  #queues = new Map<string, Queue>();
  #listeners = new Set<Listener>();
  #settings: Promise<Settings> | undefined;
  #done: Item[] = [];
  #notifyTimer: ReturnType<typeof setTimeout> | undefined;

  /** Resume the user's uploads; called when the session starts. */
  start(user: string): void {
    const known = this.#queues.get(user);
    if (known) {
      this.queue = known;
      return known.resumeSession();
    }
    const part = crypto.getRandomValues(new Uint32Array(3)).join('');
    const queue = this.#newQueue(`${part}:`);
    this.#queues.set(user, queue);
    this.queue = queue;
    void withLock(part, () => persist(queue, user, part));
  }

  /** Suspend the uploads after the session has ended. */
  stop(): void {
    this.queue?.suspend();
    this.queue = null;
  }

  /** The number of files that are waiting, running or failed. */
  get unfinished(): number {
    const summary = this.queue?.summary;
    return summary ? summary.files - summary.finished : 0;
  }

  /** Cancel the user's uploads and remove them from the browser's storage. */
  async forget(user: string): Promise<void> {
    const queue = this.#queues.get(user);
    this.#queues.delete(user);
    await queue?.end();
    await wipe(user);
  }

  addFiles(files: Iterable<File>, folderKey: string, board?: BoardTarget): void {
    this.queue?.add(forBoard(board, wantedOf(files, folderKey)));
  }

  /** Add the files and folders of a drop or paste. */
  async addEntries(transfer: DataTransfer, folderKey: string, board?: BoardTarget): Promise<void> {
    const queue = this.queue;
    if (!queue) return;
    const unreadable = await walkDropped(transfer, folderKey, (wanted) => queue.add(forBoard(board, wanted)));
    if (unreadable) notices.showError(t('upload.unreadable', { count: unreadable }));
  }

  /** Open the file chooser for files or a folder. */
  choose(kind: 'files' | 'folder', folderKey: string, board?: BoardTarget): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.hidden = true;
    input.multiple = true;
    input.webkitdirectory = kind === 'folder';
    input.onchange = () => {
      this.addFiles(input.files ?? [], folderKey, board);
      input.remove();
    };
    input.oncancel = () => input.remove();
    document.body.append(input);
    input.click();
  }

  /** Subscribe to uploaded files and created folders, in batches; returns the function that unsubscribes. */
  onDone(callback: Listener): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  #newQueue(prefix: string): Queue {
    const notify = (item: Item): void => this.#notify(item);
    const folders = new Folders(server, connection, notify);
    const context = { server, folders, hash: md5, connection, settings: () => this.#cachedSettings() };
    return new Queue(
      context,
      {
        onDone: notify,
        onIdle: ({ finished, skipped, failed }) => {
          void session.reloadProfile().catch(() => {});
          const text = failed
            ? t('upload.finished-with-failures', { count: failed })
            : t('upload.finished', { count: finished - skipped });
          // The page itself shows them at its edge.
          notifications.report('uploads', text, { inPage: false });
        },
        isSessionOver: (problem) => {
          const isOver = problem instanceof ApiError && problem.status === 401;
          if (isOver) session.expired();
          return isOver;
        },
      },
      prefix,
    );
  }

  #notify(item: Item): void {
    this.#done.push(item);
    this.#notifyTimer ??= setTimeout(() => {
      const items = this.#done;
      this.#done = [];
      this.#notifyTimer = undefined;
      for (const callback of this.#listeners) callback(items);
    }, NOTIFY_INTERVAL_MS);
  }

  #cachedSettings(): Promise<Settings> {
    const settings = (this.#settings ??= withRetry(() => server.settings(), connection));
    settings.catch(() => (this.#settings = undefined));
    return settings;
  }
}

export const uploads = new Uploads();

async function persist(queue: Queue, user: string, part: string): Promise<void> {
  const store = await QueueStore.open(user, part);
  if (!store) return;
  // The user may have logged out in the meantime.
  if (queue.isEnded) return store.close();
  queue.storeIn(store);
  await store.takeOver((tasks, done, arePaused) => {
    if (done) notices.show(t('upload.finished-without-page', { count: done }));
    if (!tasks.length) return;
    // The user paused them: the panel has the button to resume.
    if (arePaused && queue.isEmpty) queue.pause();
    queue.restore(tasks);
    notices.show(t(queue.isPaused ? 'upload.still-paused' : 'upload.resumed', { count: tasks.length }));
  });
}

addEventListener('beforeunload', (event) => {
  const { queue } = uploads;
  // The service worker continues with what is stored, so nothing is interrupted.
  if (queue?.isBusy && !(background.isReady && queue.summary.isStored)) event.preventDefault();
});
