// What the viewer walks through: a list that is there, or one that is loaded as somebody gets there.
import type { Happened } from '../app/live';
import type { ItemStore } from '../files/changing';
import type { Item } from '../files/item';

export interface ViewSource extends ItemStore {
  readonly count: number;
  /** The object of that place; undefined while it is on its way. */
  at(index: number): Item | undefined;
  /** -1 where it is not, or not yet. */
  indexOf(key: string): number;
  follow(happened: Happened): void;
}

/** The objects of a list as they were when one was opened; changes go to the list too. */
export class ListSource implements ViewSource {
  #items = $state.raw<readonly Item[]>([]);
  #store: ItemStore | undefined;

  constructor(items: readonly Item[], store?: ItemStore) {
    this.#items = items;
    this.#store = store;
  }

  get count(): number {
    return this.#items.length;
  }

  at(index: number): Item | undefined {
    return this.#items[index];
  }

  indexOf(key: string): number {
    return this.#items.findIndex((item) => item.key === key);
  }

  put(...changed: Item[]): void {
    this.#replace(changed);
    this.#store?.put(...changed);
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    this.#items = this.#items.filter((item) => !gone.has(item.key));
    this.#store?.drop(gone);
  }

  // The list behind it hears of what happens elsewhere by itself.
  follow({ items, gone }: Happened): void {
    if (items.length) this.#replace(items);
    if (gone.length) this.#items = this.#items.filter((item) => !gone.includes(item.key));
  }

  #replace(changed: readonly Item[]): void {
    const byKey = new Map(changed.map((item) => [item.key, item]));
    this.#items = this.#items.map((item) => byKey.get(item.key) ?? item);
  }
}
