// The uploads of this page: what pages call, and where the queue meets the server, the browser's store and the session.
import { connection } from '../app/connection.svelte';
import { ApiError } from '../api/errors';
import { notices } from '../app/notices.svelte';
import { session } from '../app/session.svelte';
import type { Item } from '../files/item';
import { t } from '../words';
import { walkDropped, wantedOf } from './dropped';
import { Folders } from './folders';
import { md5 } from './hashing';
import { KeptQueue, held, wipe } from './kept_queue';
import { onto, type BoardPlace } from './onto_board';
import { persistently } from './patience';
import { Queue } from './queue.svelte';
import { server } from './server';

type Settings = Awaited<ReturnType<typeof server.settings>>;
type Done = (items: readonly Item[]) => void;

// A list that sorts itself with every file of ten thousand would do nothing else.
const TELL_EVERY_MS = 300;

class Uploads {
  /** Null until somebody is logged in. */
  queue = $state.raw<Queue | null>(null);
  /** One for everybody who was logged in since the page was loaded. */
  #queues = new Map<string, Queue>();
  #listeners = new Set<Done>();
  #settings: Promise<Settings> | undefined;
  #done: Item[] = [];
  #teller: ReturnType<typeof setTimeout> | undefined;

  /** Go on with what the person who is logged in had begun; called when the session opens. */
  start(user: string): void {
    const known = this.#queues.get(user);
    if (known) {
      this.queue = known;
      return known.wake();
    }
    const part = crypto.getRandomValues(new Uint32Array(3)).join('');
    const queue = this.#newQueue(`${part}:`);
    this.#queues.set(user, queue);
    this.queue = queue;
    void held(part, () => keep(queue, user, part));
  }

  /** Nobody is logged in: nothing goes on, and nothing is lost. */
  stop(): void {
    this.queue?.suspend();
    this.queue = null;
  }

  /** How many files are not there yet, or failed. */
  get unfinished(): number {
    const summary = this.queue?.summary;
    return summary ? summary.files - summary.finished : 0;
  }

  /** The person goes away, and wants nothing left here: neither what goes on nor what the browser keeps of it. */
  async forget(user: string): Promise<void> {
    const queue = this.#queues.get(user);
    this.#queues.delete(user);
    await queue?.end();
    await wipe(user);
  }

  addFiles(files: Iterable<File>, folderKey: string, board?: BoardPlace): void {
    this.queue?.add(onto(board, wantedOf(files, folderKey)));
  }

  /** What is in a drop or in the clipboard: files, and folders with all that is in them. */
  async addEntries(transfer: DataTransfer, folderKey: string, board?: BoardPlace): Promise<void> {
    const queue = this.queue;
    if (!queue) return;
    const unreadable = await walkDropped(transfer, folderKey, (wanted) => queue.add(onto(board, wanted)));
    if (unreadable) notices.wrong(t('upload.unreadable', { count: unreadable }));
  }

  /** Let the person choose files, or a folder. */
  choose(what: 'files' | 'folder', folderKey: string, board?: BoardPlace): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.hidden = true;
    input.multiple = true;
    input.webkitdirectory = what === 'folder';
    input.onchange = () => {
      this.addFiles(input.files ?? [], folderKey, board);
      input.remove();
    };
    input.oncancel = () => input.remove();
    document.body.append(input);
    input.click();
  }

  /** Be told of the files and folders that have come into the drive, some at a time; what is returned ends it. */
  onDone(callback: Done): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  #newQueue(prefix: string): Queue {
    const tell = (item: Item): void => this.#tell(item);
    const folders = new Folders(server, connection, tell);
    const tools = { server, folders, hash: md5, line: connection, settings: () => this.#knownSettings() };
    return new Queue(
      tools,
      {
        onDone: tell,
        onIdle: () => void session.reloadProfile().catch(() => {}),
        isSessionOver: (problem) => {
          const isOver = problem instanceof ApiError && problem.status === 401;
          if (isOver) session.ended();
          return isOver;
        },
      },
      prefix,
    );
  }

  #tell(item: Item): void {
    this.#done.push(item);
    this.#teller ??= setTimeout(() => {
      const items = this.#done;
      this.#done = [];
      this.#teller = undefined;
      for (const callback of this.#listeners) callback(items);
    }, TELL_EVERY_MS);
  }

  #knownSettings(): Promise<Settings> {
    const asked = (this.#settings ??= persistently(() => server.settings(), connection));
    asked.catch(() => (this.#settings = undefined));
    return asked;
  }
}

export const uploads = new Uploads();

async function keep(queue: Queue, user: string, part: string): Promise<void> {
  const kept = await KeptQueue.open(user, part);
  if (!kept) return;
  // It took a while: the person may be gone.
  if (queue.isEnded) return kept.close();
  queue.keepIn(kept);
  await kept.takeOver((tasks) => {
    if (!tasks.length) return;
    queue.takeBack(tasks);
    notices.say(t('upload.resumed', { count: tasks.length }));
  });
}

addEventListener('beforeunload', (event) => {
  if (uploads.queue?.isBusy) event.preventDefault();
});
