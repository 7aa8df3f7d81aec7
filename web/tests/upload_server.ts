// A server of uploads that lives in the test: a tree by key, uploads in chunks, and refusals when a test wants them.
import { createMD5 } from 'hash-wasm';
import { ApiError } from '../src/api/errors';
import type { Item } from '../src/files/item';
import { Folders } from '../src/upload/folders';
import type { Hash } from '../src/upload/hashing';
import type { UploadContext } from '../src/upload/upload_file';
import type { UploadState, Metadata, Sending, Server } from '../src/upload/server';
import type { Entry, Wanted } from '../src/upload/task.svelte';

export const ROOT = 'ROOT';
type Stored = Entry & { key: string; version: number };

const reckoning = await createMD5();

export function md5Of(bytes: Uint8Array): string {
  return reckoning.init().update(bytes).digest();
}

export const hash: Hash = async (blob, signal) => {
  signal.throwIfAborted();
  return md5Of(new Uint8Array(await blob.arrayBuffer()));
};

export class TestServer implements Server {
  folders = new Map<string, Map<string, Stored>>([[ROOT, new Map()]]);
  calls: string[] = [];
  made: Item[] = [];
  maxFileSize = 1e9;
  chunkSize = 1024;
  atOnce = 0;
  mostAtOnce = 0;
  /** HashRequest before every call that writes; what it raises is the answer. */
  refusal: (call: string) => void = () => {};
  /** A call that carries bytes waits for this. */
  gate: Promise<void> = Promise.resolve();
  #uploads = new Map<string, { about: Metadata; bytes: Uint8Array[]; received: number }>();
  #last = 0;

  readonly connection = { restored: () => Promise.resolve() };

  context(): UploadContext {
    const folders = new Folders(this, this.connection, (folder) => this.made.push(folder));
    return { server: this, folders, hash, connection: this.connection, settings: () => this.settings() };
  }

  names(folderKey: string): AsyncIterable<[string, Entry & { key: string }]> {
    this.calls.push(`names ${folderKey}`);
    const entries = [...this.folders.get(folderKey)!];
    return (async function* () {
      yield* entries;
    })();
  }

  settings(): Promise<{ maxFileSize: number; chunkSize: number }> {
    return Promise.resolve({ maxFileSize: this.maxFileSize, chunkSize: this.chunkSize });
  }

  async createFolder(name: string, parentKey: string): Promise<Item> {
    this.#heard(`folder ${name}`);
    await Promise.resolve();
    const siblings = this.folders.get(parentKey)!;
    if (siblings.has(name)) throw new ApiError(409, 'SKY3010', 'taken');
    const key = `K${++this.#last}`;
    siblings.set(name, { key, isFolder: true, hash: null, size: 0, modified: 0, version: 1 });
    this.folders.set(key, new Map());
    return item(key, name, parentKey);
  }

  async sendWhole(about: Metadata, file: Blob, { signal }: Sending): Promise<Item> {
    return this.#carrying(async () => {
      this.#heard(`sendWhole ${about.name}`);
      signal.throwIfAborted();
      return this.#store(about, new Uint8Array(await file.arrayBuffer()));
    }, signal);
  }

  async initiate(about: Metadata): Promise<UploadState> {
    this.#heard(`initiate ${about.name}`);
    const there = this.folders.get(about.folderKey)?.get(about.name);
    if (there && there.hash === about.hash) return { item: item(there.key, about.name, about.folderKey) };
    const id = JSON.stringify([about.folderKey, about.name, about.size, about.hash]);
    if (!this.#uploads.has(id)) this.#uploads.set(id, { about, bytes: [], received: 0 });
    return { upload: id, offset: this.#uploads.get(id)!.received };
  }

  async chunk(upload: string, offset: number, bytes: Blob, md5: string, { signal }: Sending): Promise<UploadState> {
    return this.#carrying(async () => {
      const data = new Uint8Array(await bytes.arrayBuffer());
      this.#heard(`chunk ${offset}+${data.length}`);
      const going = this.#uploads.get(upload);
      if (!going) throw new ApiError(404, 'SKY4000', 'no such upload');
      if (md5Of(data) !== md5) throw new ApiError(400, 'SKY4003', 'wrong chunk');
      if (offset !== going.received) return { upload, offset: going.received };
      going.bytes.push(data);
      going.received += data.length;
      this.onKept(going.received);
      if (going.received < going.about.size) return { upload, offset: going.received };
      this.#uploads.delete(upload);
      return { item: this.#store(going.about, joined(going.bytes)) };
    }, signal);
  }

  /** Called after a chunk is kept and before that is answered. */
  onKept: (received: number) => void = () => {};

  async cancelUpload(upload: string): Promise<void> {
    this.#heard(`cancel ${this.#uploads.get(upload)?.about.name}`);
    this.#uploads.delete(upload);
  }

  /** Uploads that room is kept for. */
  get begun(): number {
    return this.#uploads.size;
  }

  cancelUploads(): void {
    this.#uploads.clear();
  }

  has(name: string, content: string, folderKey = ROOT): void {
    const bytes = new TextEncoder().encode(content);
    this.#store({ name, size: bytes.length, hash: md5Of(bytes), folderKey }, bytes);
  }

  listing(folderKey = ROOT): string[] {
    return [...this.folders.get(folderKey)!.keys()].sort();
  }

  folder(...path: string[]): string {
    return path.reduce((key, name) => this.folders.get(key)!.get(name)!.key, ROOT);
  }

  version(name: string, folderKey = ROOT): number {
    return this.folders.get(folderKey)!.get(name)!.version;
  }

  count(start: string): number {
    return this.calls.filter((call) => call.startsWith(start)).length;
  }

  #heard(call: string): void {
    this.calls.push(call);
    this.refusal(call);
  }

  async #carrying<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    try {
      await this.gate;
      signal.throwIfAborted();
      return await work();
    } finally {
      this.atOnce -= 1;
    }
  }

  #store(about: Metadata, bytes: Uint8Array): Item {
    if (md5Of(bytes) !== about.hash) throw new ApiError(400, 'SKY4004', 'wrong hash');
    const siblings = this.folders.get(about.folderKey)!;
    const there = siblings.get(about.name);
    const key = there?.key ?? `K${++this.#last}`;
    const version = (there?.version ?? 0) + 1;
    siblings.set(about.name, { key, isFolder: false, hash: about.hash, size: about.size, modified: 0, version });
    return item(key, about.name, about.folderKey);
  }
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function item(key: string, name: string, parentKey: string): Item {
  return {
    key,
    parentKey,
    name,
    kind: 'other',
    mime: '',
    bytes: 0,
    modified: 0,
    created: 0,
    updated: 0,
    hash: null,
    version: 1,
    isFavourite: false,
    source: 'DRIVE',
  };
}

export function wanted(name: string, content: string | Uint8Array<ArrayBuffer> = name, ...path: string[]): Wanted {
  const file = new File([content], name, { lastModified: 1000 });
  return { folderKey: ROOT, path, name, isFolder: false, size: file.size, modified: 1000, file };
}

export function emptyFolder(name: string, ...path: string[]): Wanted {
  return { folderKey: ROOT, path, name, isFolder: true, size: 0, modified: 0, file: null };
}
