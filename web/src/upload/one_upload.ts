// The way of one file: find its folder, reckon its hash, claim its name, send its bytes.
import { ApiError, isPassing } from '../api/errors';
import type { Item } from '../files/item';
import { IN_ONE_CALL_BYTES, goodChunkSize, nextChunk, type Chunk } from './chunks';
import { claim, type Names } from './conflicts';
import type { Folders } from './folders';
import type { Hash } from './hashing';
import { isGoodName } from './names';
import { persistently, type Line } from './patience';
import { refuse } from './problems';
import type { Begun, Metadata, Server } from './server';
import type { Entry, Task } from './task.svelte';

export interface Tools {
  server: Server;
  folders: Folders;
  hash: Hash;
  line: Line;
  settings: () => Promise<{ maxFileSize: number; chunkSize: number }>;
  /** Told when the server keeps room for an upload. */
  onBegun?: (task: Task) => void;
}

export type Outcome = { is: 'done'; item: Item | null } | { is: 'unchanged' } | { is: 'question'; there: Entry };

const BEGINNINGS = 4;
const STANDSTILLS = 5;
const NO_SUCH_UPLOAD = 'SKY4000';

export async function uploadOne(task: Task, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  task.state = 'preparing';
  task.sent = 0;
  if (![...task.path, task.name].every(isGoodName)) throw refuse.name();
  if (task.isFolder) {
    await tools.folders.find(task.folderKey, [...task.path, task.name], signal);
    return { is: 'done', item: null };
  }
  const file = task.file;
  if (!file) throw refuse.lost();
  const settings = await tools.settings();
  if (file.size > settings.maxFileSize) throw refuse.tooLarge(settings.maxFileSize);

  const folderKey = await tools.folders.find(task.folderKey, task.path, signal);
  task.hash ??= await tools.hash(file, signal, (read) => (task.read = read));
  const names = await tools.folders.names(folderKey, signal);
  const claimed = claim(names, task);
  // What is in the drive already may not be on the board yet: the server finds it there, and shows it.
  const isThere = claimed.is === 'unchanged';
  if (claimed.is === 'question' || (isThere && !task.boardKey)) return claimed;

  task.as = claimed.is === 'free' ? claimed.as : (task.as ?? task.name);
  const undo = take(names, task.as, { isFolder: false, hash: task.hash, size: file.size, modified: task.modified });
  task.state = 'sending';
  const about: Metadata = {
    name: task.as,
    size: file.size,
    hash: task.hash,
    folderKey,
    lastModifiedDate: Math.max(0, task.modified),
    ...(task.boardKey ? { boardKey: task.boardKey } : {}),
  };
  try {
    const way = isThere ? sendInChunks : send;
    return { is: 'done', item: await way(file, about, goodChunkSize(settings.chunkSize), task, tools, signal) };
  } catch (problem) {
    undo();
    // The hash of content that has changed meanwhile is of no use for the next try.
    if (problem instanceof ApiError && problem.status === 400) task.hash = null;
    throw problem;
  }
}

/** Nobody else in this run gets the name; the function gives it back. */
function take(names: Names, name: string, entry: Entry): () => void {
  const before = names.get(name);
  names.set(name, entry);
  return () => {
    if (before) names.set(name, before);
    else names.delete(name);
  };
}

async function send(
  file: File,
  about: Metadata,
  chunkSize: number,
  task: Task,
  tools: Tools,
  signal: AbortSignal,
): Promise<Item> {
  if (file.size <= IN_ONE_CALL_BYTES) {
    const onSent = (bytes: number): void => void (task.sent = Math.min(file.size, bytes));
    try {
      return await tools.server.whole(about, file, { signal, onSent });
    } catch (problem) {
      if (signal.aborted || !isPassing(problem)) throw problem;
      // Only the answer may have been lost. Initiate tells, where the same call again would make a second version.
    }
  }
  return sendInChunks(file, about, chunkSize, task, tools, signal);
}

interface Cut extends Chunk {
  bytes: Blob;
  md5: Promise<string>;
}

async function sendInChunks(
  file: File,
  about: Metadata,
  chunkSize: number,
  task: Task,
  tools: Tools,
  signal: AbortSignal,
): Promise<Item> {
  const { server, line, hash } = tools;
  const begin = (): Promise<Begun> => persistently(() => server.initiate(about), line, signal);
  const cut = (offset: number): Cut | null => {
    const chunk = nextChunk(offset, file.size, chunkSize);
    if (!chunk) return null;
    const bytes = file.slice(chunk.start, chunk.end);
    const md5 = hash(bytes, signal);
    // It may be waited for late or never.
    md5.catch(() => {});
    return { ...chunk, bytes, md5 };
  };
  // While a chunk is on its way, the hash of the next one is reckoned.
  let ahead: Cut | null = null;
  let begun = await begin();
  let beginnings = 1;
  let standstills = 0;
  while (!('item' in begun)) {
    const { upload, offset } = begun;
    task.sent = offset;
    if (task.upload !== upload) {
      task.upload = upload;
      tools.onBegun?.(task);
    }
    signal.throwIfAborted();
    const chunk: Cut | null = ahead?.start === offset ? ahead : cut(offset);
    try {
      if (chunk) {
        const { bytes } = chunk;
        const md5 = await chunk.md5;
        ahead = cut(chunk.end);
        const onSent = (sent: number): void => void (task.sent = Math.min(file.size, offset + sent));
        begun = await persistently(() => server.chunk(upload, offset, bytes, md5, { signal, onSent }), line, signal);
      } else begun = await begin();
    } catch (problem) {
      // The server has given the upload up, or finished it for somebody else's call: it tells which.
      if (!(problem instanceof ApiError && problem.code === NO_SUCH_UPLOAD) || ++beginnings > BEGINNINGS) throw problem;
      begun = await begin();
      continue;
    }
    standstills = 'item' in begun || begun.offset > offset ? 0 : standstills + 1;
    if (standstills > STANDSTILLS) throw new ApiError(409, 'SKY4001', 'The upload does not advance.');
  }
  task.upload = null;
  return begun.item;
}
