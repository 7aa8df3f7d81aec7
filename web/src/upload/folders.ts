// The folders that a dropped tree needs, each made once, and what is in the folders that files go to, each read once.
import { ApiError } from '../api/errors';
import type { Item } from '../files/item';
import type { Names } from './conflicts';
import { persistently, unlessStopped, type Line } from './patience';
import type { Server } from './server';

const TAKEN = 'SKY3010';

export class Folders {
  #server: Server;
  #line: Line;
  #onMade: (folder: Item) => void;
  #keys = new Map<string, Promise<string>>();
  #names = new Map<string, Promise<Names>>();
  #subfolders = new Map<string, Map<string, string>>();

  constructor(server: Server, line: Line, onMade: (folder: Item) => void) {
    this.#server = server;
    this.#line = line;
    this.#onMade = onMade;
  }

  /** The key of the folder at the end of the path. Others may wait for the same one: a stop ends only the waiting. */
  async find(baseKey: string, path: readonly string[], signal: AbortSignal): Promise<string> {
    let key = baseKey;
    for (const name of path) {
      const parent = key;
      key = await unlessStopped(
        remembered(this.#keys, `${parent}/${name}`, () => this.#make(name, parent)),
        signal,
      );
    }
    return key;
  }

  /** What has a name in the folder; uploads write what they take into it. */
  names(folderKey: string, signal: AbortSignal): Promise<Names> {
    return unlessStopped(
      remembered(this.#names, folderKey, () => this.#read(folderKey)),
      signal,
    );
  }

  /** Others change the drive too: what is known is good for one run of uploads. */
  forget(): void {
    this.#keys.clear();
    this.#names.clear();
    this.#subfolders.clear();
  }

  async #make(name: string, parentKey: string): Promise<string> {
    const known = this.#subfolders.get(parentKey)?.get(name);
    if (known) return known;
    try {
      const made = await persistently(() => this.#server.createFolder(name, parentKey), this.#line);
      this.#names.set(made.key, Promise.resolve(new Map()));
      const around = this.#names.get(parentKey);
      if (around) (await around).set(name, { isFolder: true, hash: null, size: 0, modified: made.modified });
      this.#onMade(made);
      return made.key;
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.code !== TAKEN) throw problem;
      // What was known of the parent did not have it; names that uploads have taken since then stay taken.
      const known = this.#names.get(parentKey);
      const fresh = this.#read(parentKey);
      if (!known) this.#names.set(parentKey, fresh);
      const names = await (known ?? fresh);
      for (const [taken, entry] of await fresh) if (!names.has(taken)) names.set(taken, entry);
      const there = this.#subfolders.get(parentKey)?.get(name);
      if (!there) throw problem;
      return there;
    }
  }

  async #read(folderKey: string): Promise<Names> {
    return persistently(async () => {
      const names: Names = new Map();
      const subfolders = new Map<string, string>();
      for await (const [name, { key, ...entry }] of this.#server.names(folderKey)) {
        names.set(name, entry);
        if (entry.isFolder) subfolders.set(name, key);
      }
      this.#subfolders.set(folderKey, subfolders);
      return names;
    }, this.#line);
  }
}

/** The promise that is there, or a new one; one that fails is not kept. */
function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = known.get(key);
  if (there) return there;
  const made = make();
  known.set(key, made);
  made.catch(() => {
    if (known.get(key) === made) known.delete(key);
  });
  return made;
}
