// Items loaded in pages while the user scrolls.
import type { CloudObject } from '../api/client';
import { retryWhenBack } from '../app/recovery';
import type { ItemStore } from './item_changes';
import { itemOf, type Item } from './item';

export interface Page {
  objects: CloudObject[];
  /** The cursor of the next page, or null after the last one. */
  next: string | null;
}

export class PagedItems implements ItemStore {
  items = $state.raw<Item[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #loadPage: (cursor: string | null, signal: AbortSignal) => Promise<Page>;
  #belongs: (item: Item) => boolean;
  #next: string | null = null;
  #isComplete = false;
  #busy = false;
  #stopped = new AbortController();

  /** `belongs` decides whether a changed item stays in the list. */
  constructor(
    loadPage: (cursor: string | null, signal: AbortSignal) => Promise<Page>,
    belongs: (item: Item) => boolean = () => true,
  ) {
    this.#loadPage = loadPage;
    this.#belongs = belongs;
  }

  /** Load the next page, unless one is loading or there is none. */
  async loadMore(): Promise<void> {
    if (this.#busy || this.#isComplete) return;
    this.#busy = true;
    try {
      const page = await this.#loadPage(this.#next, this.#stopped.signal);
      const known = new Set(this.items.map((item) => item.key));
      this.items = [...this.items, ...page.objects.map(itemOf).filter((item) => !known.has(item.key))];
      this.#next = page.next;
      this.#isComplete = page.next === null;
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
      retryWhenBack(problem, () => {
        if (this.state === 'failed' && !this.#stopped.signal.aborted) void this.retry();
      });
    } finally {
      this.#busy = false;
    }
  }

  async retry(): Promise<void> {
    this.state = 'loading';
    await this.loadMore();
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
