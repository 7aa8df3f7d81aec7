// The contents of a folder, loaded in pages; the first page is shown while the others load.
import { GET, dataOf } from '../api/client';
import { FIRST_PAGE } from '../api/prefetch';
import type { DriveChanges } from '../app/live';
import { retryWhenBack } from '../app/recovery';
import { itemOf, type Item } from './item';

export type SortField = 'objectName' | 'sizeInBytes' | 'lastModifiedDate';
export interface Sort {
  field: SortField;
  descending: boolean;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export interface Step {
  key: string;
  name: string;
}

export class Folder {
  readonly key: string;
  items = $state.raw<Item[]>([]);
  path = $state.raw<Step[]>([]);
  name = $state('');
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #sort: Sort;
  #stopped = new AbortController();
  /** Updates that came while a listing was loading; they are applied again on top of it. */
  #pendingUpdates: (() => void)[] = [];
  #loads = 0;

  constructor(key: string, sort: Sort) {
    this.key = key;
    this.#sort = sort;
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      await Promise.all([this.#loadPath(), this.#loading(() => this.#loadItems())]);
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
      retryWhenBack(problem, () => {
        if (this.state === 'failed' && !this.#stopped.signal.aborted) void this.load();
      });
    }
  }

  /** Reload without clearing the list first. */
  async refresh(): Promise<void> {
    await this.#loading(async () => {
      const fresh: Item[] = [];
      for await (const page of this.#pages()) fresh.push(...page);
      this.items = sorted(fresh, this.#sort);
    });
  }

  stop(): void {
    this.#stopped.abort();
  }

  sortBy(sort: Sort): void {
    this.#sort = sort;
    this.items = sorted(this.items, sort);
  }

  put(...changed: Item[]): void {
    if (this.#loads) this.#pendingUpdates.push(() => this.put(...changed));
    const byKey = new Map(this.items.map((item) => [item.key, item]));
    for (const item of changed) {
      if (item.parentKey === this.key) byKey.set(item.key, item);
      else byKey.delete(item.key);
    }
    this.items = sorted([...byKey.values()], this.#sort);
  }

  /** Apply changes made elsewhere. */
  applyChanges({ items, gone, reloadAll }: DriveChanges): void {
    if (reloadAll) void this.refresh().catch(() => {});
    else {
      if (gone.length) this.drop(gone);
      const keys = new Set(this.items.map((item) => item.key));
      // A listing that is still loading may contain items that have been moved away.
      const relevant = this.#loads ? items : items.filter((item) => item.parentKey === this.key || keys.has(item.key));
      if (relevant.length) this.put(...relevant);
    }
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    if (this.#loads) this.#pendingUpdates.push(() => this.drop(gone));
    this.items = this.items.filter((item) => !gone.has(item.key));
  }

  /** Load, then apply the updates that came in the meantime. */
  async #loading(load: () => Promise<void>): Promise<void> {
    this.#loads += 1;
    try {
      await load();
    } finally {
      this.#loads -= 1;
      if (!this.#loads) for (const update of this.#pendingUpdates.splice(0)) update();
    }
  }

  async #loadPath(): Promise<void> {
    const { object, path } = await dataOf(
      GET('/x/v1/objects/{object_key}', { params: { path: { object_key: this.key } }, signal: this.#stopped.signal }),
    );
    this.name = path.length ? object.objectName : '';
    this.path = path.map((step) => ({ key: step.objectKey, name: step.objectName }));
  }

  async #loadItems(): Promise<void> {
    let all: Item[] = [];
    for await (const page of this.#pages()) {
      all = all.concat(page);
      this.items = sorted(all, this.#sort);
    }
  }

  async *#pages(): AsyncGenerator<Item[]> {
    for (let page = 0; ; page++) {
      const query = { folderKey: this.key, limit: FIRST_PAGE, page, sort: '+objectName' as const };
      const { objects } = await dataOf(GET('/nms/metadata', { params: { query }, signal: this.#stopped.signal }));
      yield objects.map(itemOf);
      if (objects.length < FIRST_PAGE) return;
    }
  }
}

/** Folders first, then by the field; ties by name. */
export function sorted(items: Item[], { field, descending }: Sort): Item[] {
  const sign = descending ? -1 : 1;
  return [...items].sort((a, b) => {
    if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1;
    const by = field === 'sizeInBytes' ? a.bytes - b.bytes : field === 'lastModifiedDate' ? a.modified - b.modified : 0;
    return sign * (by || names.compare(a.name, b.name)) || (a.key < b.key ? -1 : 1);
  });
}
