// The folders that uploads need, each created once, and the names in them, each listed once.
import { ApiError } from '../api/errors';
import type { Item } from '../files/item';
import type { Names } from './conflicts';
import { withRetry, abortable, type Connection } from './retry';
import type { Server } from './server';

const NAME_EXISTS = 'SKY3010';

export class Folders {
  #server: Server;
  #connection: Connection;
  #onCreated: (folder: Item) => void;
  #keys = new Map<string, Promise<string>>();
  #names = new Map<string, Promise<Names>>();
  #subfolders = new Map<string, Map<string, string>>();

  constructor(server: Server, connection: Connection, onCreated: (folder: Item) => void) {
    this.#server = server;
    this.#connection = connection;
    this.#onCreated = onCreated;
  }

  /** The key of the folder at the path, created if necessary. Aborting ends only the wait, as other uploads may share it. */
  async find(baseKey: string, path: readonly string[], signal: AbortSignal): Promise<string> {
    let key = baseKey;
    for (const name of path) {
      const parent = key;
      key = await abortable(
        memoized(this.#keys, `${parent}/${name}`, () => this.#create(name, parent)),
        signal,
      );
    }
    return key;
  }

  /** The names in a folder; uploads add the names that they take. */
  names(folderKey: string, signal: AbortSignal): Promise<Names> {
    return abortable(
      memoized(this.#names, folderKey, () => this.#list(folderKey)),
      signal,
    );
  }

  /** Others may change the folders, so the listings are only used for one run of uploads. */
  forget(): void {
    this.#keys.clear();
    this.#names.clear();
    this.#subfolders.clear();
  }

  async #create(name: string, parentKey: string): Promise<string> {
    const known = this.#subfolders.get(parentKey)?.get(name);
    if (known) return known;
    try {
      const created = await withRetry(() => this.#server.createFolder(name, parentKey), this.#connection);
      this.#names.set(created.key, Promise.resolve(new Map()));
      const siblings = this.#names.get(parentKey);
      if (siblings) (await siblings).set(name, { isFolder: true, hash: null, size: 0, modified: created.modified });
      this.#onCreated(created);
      return created.key;
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.code !== NAME_EXISTS) throw problem;
      // The known listing is outdated: merge the current one, keeping names that uploads have taken since.
      const known = this.#names.get(parentKey);
      const fresh = this.#list(parentKey);
      if (!known) this.#names.set(parentKey, fresh);
      const names = await (known ?? fresh);
      for (const [taken, entry] of await fresh) if (!names.has(taken)) names.set(taken, entry);
      const existing = this.#subfolders.get(parentKey)?.get(name);
      if (!existing) throw problem;
      return existing;
    }
  }

  async #list(folderKey: string): Promise<Names> {
    return withRetry(async () => {
      const names: Names = new Map();
      const subfolders = new Map<string, string>();
      for await (const [name, { key, ...entry }] of this.#server.names(folderKey)) {
        names.set(name, entry);
        if (entry.isFolder) subfolders.set(name, key);
      }
      this.#subfolders.set(folderKey, subfolders);
      return names;
    }, this.#connection);
  }
}

/** The cached promise, or a new one; a rejected promise is not cached. */
function memoized<T>(cache: Map<string, Promise<T>>, key: string, create: () => Promise<T>): Promise<T> {
  const cached = cache.get(key);
  if (cached) return cached;
  const created = create();
  cache.set(key, created);
  created.catch(() => {
    if (cache.get(key) === created) cache.delete(key);
  });
  return created;
}
