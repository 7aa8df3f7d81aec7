// Who added which file of a board, asked for in batches when a file is shown.
import { SvelteMap } from 'svelte/reactivity';
import { GET, dataOf, type Schemas } from '../api/client';

export type Contributor = Schemas['BoardContributor'];

const BATCH_SIZE = 200;
const WAIT_MS = 30;

export class Contributors {
  #known = new SvelteMap<string, Contributor>();
  #asked = new Set<string>();
  #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #boardKey: string;

  constructor(boardKey: string) {
    this.#boardKey = boardKey;
  }

  of(objectKey: string): Contributor | undefined {
    return this.#known.get(objectKey);
  }

  want(objectKey: string): void {
    if (this.#asked.has(objectKey)) return;
    this.#asked.add(objectKey);
    this.#waiting.add(objectKey);
    this.#timer ??= setTimeout(() => void this.#ask(), WAIT_MS);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const keys = [...this.#waiting].slice(0, BATCH_SIZE);
    for (const key of keys) this.#waiting.delete(key);
    if (this.#waiting.size) this.#timer = setTimeout(() => void this.#ask(), 0);
    try {
      const params = { path: { board_key: this.#boardKey }, query: { objectKeys: keys.join(',') } };
      const { contributors } = await dataOf(GET('/x/v1/boards/{board_key}/contributors', { params }));
      for (const one of contributors) this.#known.set(one.objectKey, one);
    } catch {
      // Albums work without names; the next time a file is shown it asks again.
      for (const key of keys) this.#asked.delete(key);
    }
  }
}
