// The items that the viewer pages through: a loaded list, or one that is loaded on demand.
import type { DriveChanges } from '../app/live';
import type { ItemStore } from '../files/item_changes';
import type { Item } from '../files/item';

export interface ViewSource extends ItemStore {
  readonly count: number;
  /** The item at an index; undefined while it is loading. */
  at(index: number): Item | undefined;
  /** -1 if it is not in the list or not loaded. */
  indexOf(key: string): number;
  applyChanges(changes: DriveChanges): void;
  /** Whether another item shows this one, so that paging leaves it out. */
  isHidden?(index: number): boolean;
  /** The items that are shown as one with this one, itself included. */
  partsOf?(index: number): readonly Item[];
}

/** A list's items as they were when the viewer opened; changes are passed on to the list. */
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

  // The list itself subscribes to changes separately.
  applyChanges({ items, gone }: DriveChanges): void {
    if (items.length) this.#replace(items);
    if (gone.length) this.#items = this.#items.filter((item) => !gone.includes(item.key));
  }

  #replace(changed: readonly Item[]): void {
    const byKey = new Map(changed.map((item) => [item.key, item]));
    this.#items = this.#items.map((item) => byKey.get(item.key) ?? item);
  }
}
