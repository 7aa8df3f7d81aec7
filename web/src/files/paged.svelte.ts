// Objects that come in pages, as many as have been scrolled to.
import type { CloudObject } from '../api/client';
import type { ItemStore } from './changing';
import { itemOf, type Item } from './item';

export interface Page {
  objects: CloudObject[];
  /** What to ask for next; none: that was all. */
  next: string | null;
}

export class PagedItems implements ItemStore {
  items = $state.raw<Item[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #ask: (cursor: string | null, signal: AbortSignal) => Promise<Page>;
  #belongs: (item: Item) => boolean;
  #next: string | null = null;
  #isOver = false;
  #busy = false;
  #stopped = new AbortController();

  /** `belongs` tells whether an object that was changed is still one of these. */
  constructor(
    ask: (cursor: string | null, signal: AbortSignal) => Promise<Page>,
    belongs: (item: Item) => boolean = () => true,
  ) {
    this.#ask = ask;
    this.#belongs = belongs;
  }

  /** The next page, unless one is on its way or there is none. */
  async more(): Promise<void> {
    if (this.#busy || this.#isOver) return;
    this.#busy = true;
    try {
      const page = await this.#ask(this.#next, this.#stopped.signal);
      const known = new Set(this.items.map((item) => item.key));
      this.items = [...this.items, ...page.objects.map(itemOf).filter((item) => !known.has(item.key))];
      this.#next = page.next;
      this.#isOver = page.next === null;
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
    } finally {
      this.#busy = false;
    }
  }

  async retry(): Promise<void> {
    this.state = 'loading';
    await this.more();
  }

  put(...changed: Item[]): void {
    const byKey = new Map(changed.map((item) => [item.key, item]));
    this.items = this.items.map((item) => byKey.get(item.key) ?? item).filter((item) => this.#belongs(item));
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    this.items = this.items.filter((item) => !gone.has(item.key));
  }

  stop(): void {
    this.#stopped.abort();
  }
}
