// The upload of one file: find its folder, compute its hash, claim its name, send its content.
import { ApiError, isTransient } from '../api/errors';
import type { Item } from '../files/item';
import { SINGLE_REQUEST_BYTES, validChunkSize, nextChunk, type Chunk } from './chunks';
import { claim, type Names } from './conflicts';
import type { Folders } from './folders';
import type { Hash } from './hashing';
import { isValidName } from './names';
import { withRetry, type Connection } from './retry';
import { refuse } from './refusal';
import type { UploadState, Metadata, Server } from './server';
import type { Entry, Task } from './task.svelte';

/** What an upload needs of a task: the page's have more, the service worker's are rows of the stored queue. */
export type Uploading = Pick<
  Task,
  | 'folderKey'
  | 'path'
  | 'name'
  | 'isFolder'
  | 'size'
  | 'modified'
  | 'boardKey'
  | 'file'
  | 'hash'
  | 'as'
  | 'upload'
  | 'decision'
  | 'state'
  | 'read'
  | 'sent'
>;

export interface UploadContext<T extends Uploading = Task> {
  server: Server;
  folders: Folders;
  hash: Hash;
  connection: Connection;
  settings: () => Promise<{ maxFileSize: number; chunkSize: number }>;
  /** Called when the server has reserved space for an upload. */
  onStarted?: (task: T) => void;
}

export type Outcome = { is: 'done'; item: Item | null } | { is: 'unchanged' } | { is: 'conflict'; existing: Entry };

const MAX_STARTS = 4;
const MAX_STALLS = 5;
const NO_SUCH_UPLOAD = 'SKY4000';

export async function uploadFile<T extends Uploading>(
  task: T,
  context: UploadContext<T>,
  signal: AbortSignal,
): Promise<Outcome> {
  task.state = 'preparing';
  task.sent = 0;
  if (![...task.path, task.name].every(isValidName)) throw refuse.name();
  if (task.isFolder) {
    await context.folders.find(task.folderKey, [...task.path, task.name], signal);
    return { is: 'done', item: null };
  }
  const file = task.file;
  if (!file) throw refuse.lost();
  const settings = await context.settings();
  if (file.size > settings.maxFileSize) throw refuse.tooLarge(settings.maxFileSize);

  const folderKey = await context.folders.find(task.folderKey, task.path, signal);
  task.hash ??= await context.hash(file, signal, (read) => (task.read = read));
  const names = await context.folders.names(folderKey, signal);
  const claimed = claim(names, task);
  // A file that already exists may not be on the board yet: the server then adds it without an upload.
  const isUnchanged = claimed.is === 'unchanged';
  if (claimed.is === 'conflict' || (isUnchanged && !task.boardKey)) return claimed;

  task.as = claimed.is === 'free' ? claimed.as : (task.as ?? task.name);
  const release = reserve(names, task.as, {
    isFolder: false,
    hash: task.hash,
    size: file.size,
    modified: task.modified,
  });
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
    const sendFile = isUnchanged ? sendInChunks : send;
    return { is: 'done', item: await sendFile(file, about, validChunkSize(settings.chunkSize), task, context, signal) };
  } catch (problem) {
    release();
    // The content may have changed: compute the hash again on the next attempt.
    if (problem instanceof ApiError && problem.status === 400) task.hash = null;
    throw problem;
  }
}

/** Reserve the name within this run; returns the function that releases it. */
function reserve(names: Names, name: string, entry: Entry): () => void {
  const before = names.get(name);
  names.set(name, entry);
  return () => {
    if (before) names.set(name, before);
    else names.delete(name);
  };
}

async function send<T extends Uploading>(
  file: File,
  about: Metadata,
  chunkSize: number,
  task: T,
  context: UploadContext<T>,
  signal: AbortSignal,
): Promise<Item> {
  if (file.size <= SINGLE_REQUEST_BYTES) {
    const onSent = (bytes: number): void => void (task.sent = Math.min(file.size, bytes));
    try {
      return await context.server.sendWhole(about, file, { signal, onSent });
    } catch (problem) {
      if (signal.aborted || !isTransient(problem)) throw problem;
      // Only the response may have been lost: initiate finds that out, while repeating the request could add a version.
    }
  }
  return sendInChunks(file, about, chunkSize, task, context, signal);
}

interface HashedChunk extends Chunk {
  bytes: Blob;
  md5: Promise<string>;
}

async function sendInChunks<T extends Uploading>(
  file: File,
  about: Metadata,
  chunkSize: number,
  task: T,
  context: UploadContext<T>,
  signal: AbortSignal,
): Promise<Item> {
  const { server, connection, hash } = context;
  const start = (): Promise<UploadState> => withRetry(() => server.initiate(about), connection, signal);
  const cut = (offset: number): HashedChunk | null => {
    const chunk = nextChunk(offset, file.size, chunkSize);
    if (!chunk) return null;
    const bytes = file.slice(chunk.start, chunk.end);
    const md5 = hash(bytes, signal);
    // It may never be awaited.
    md5.catch(() => {});
    return { ...chunk, bytes, md5 };
  };
  // The next chunk is hashed while the current one is sent.
  let ahead: HashedChunk | null = null;
  let state = await start();
  let starts = 1;
  let stalls = 0;
  while (!('item' in state)) {
    const { upload, offset } = state;
    task.sent = offset;
    if (task.upload !== upload) {
      task.upload = upload;
      context.onStarted?.(task);
    }
    signal.throwIfAborted();
    const chunk: HashedChunk | null = ahead?.start === offset ? ahead : cut(offset);
    try {
      if (chunk) {
        const { bytes } = chunk;
        const md5 = await chunk.md5;
        ahead = cut(chunk.end);
        const onSent = (sent: number): void => void (task.sent = Math.min(file.size, offset + sent));
        state = await withRetry(() => server.chunk(upload, offset, bytes, md5, { signal, onSent }), connection, signal);
      } else state = await start();
    } catch (problem) {
      // The upload has expired or was finished by another request: starting it again finds out which.
      if (!(problem instanceof ApiError && problem.code === NO_SUCH_UPLOAD) || ++starts > MAX_STARTS) throw problem;
      state = await start();
      continue;
    }
    stalls = 'item' in state || state.offset > offset ? 0 : stalls + 1;
    if (stalls > MAX_STALLS) throw new ApiError(409, 'SKY4001', 'The upload makes no progress.');
  }
  task.upload = null;
  return state.item;
}
