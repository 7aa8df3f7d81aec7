// The content of one folder, loaded page by page: the first page is shown while the next ones come.
import { GET, answer } from '../api/client';
import { FIRST_PAGE } from '../api/early';
import type { Happened } from '../app/live';
import { itemOf, type Item } from './item';

export type SortField = 'objectName' | 'sizeInBytes' | 'lastModifiedDate';
export interface Sort {
  field: SortField;
  down: boolean;
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
  /** What was told while the list was on its way, which may be older than that. */
  #meanwhile: (() => void)[] = [];
  #readings = 0;

  constructor(key: string, sort: Sort) {
    this.key = key;
    this.#sort = sort;
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      await Promise.all([this.#loadPlace(), this.#reading(() => this.#loadItems())]);
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
    }
  }

  /** Read it again without emptying what is shown. */
  async refresh(): Promise<void> {
    await this.#reading(async () => {
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
    if (this.#readings) this.#meanwhile.push(() => this.put(...changed));
    const byKey = new Map(this.items.map((item) => [item.key, item]));
    for (const item of changed) {
      if (item.parentKey === this.key) byKey.set(item.key, item);
      else byKey.delete(item.key);
    }
    this.items = sorted([...byKey.values()], this.#sort);
  }

  /** What happened elsewhere. */
  follow({ items, gone, everything }: Happened): void {
    if (everything) void this.refresh().catch(() => {});
    else {
      if (gone.length) this.drop(gone);
      const here = new Set(this.items.map((item) => item.key));
      // A list that is on its way may still bring what has gone elsewhere.
      const ours = this.#readings ? items : items.filter((item) => item.parentKey === this.key || here.has(item.key));
      if (ours.length) this.put(...ours);
    }
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    if (this.#readings) this.#meanwhile.push(() => this.drop(gone));
    this.items = this.items.filter((item) => !gone.has(item.key));
  }

  /** Read, and then do again what was told on the way. */
  async #reading(read: () => Promise<void>): Promise<void> {
    this.#readings += 1;
    try {
      await read();
    } finally {
      this.#readings -= 1;
      if (!this.#readings) for (const again of this.#meanwhile.splice(0)) again();
    }
  }

  async #loadPlace(): Promise<void> {
    const { object, path } = await answer(
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
      const { objects } = await answer(GET('/nms/metadata', { params: { query }, signal: this.#stopped.signal }));
      yield objects.map(itemOf);
      if (objects.length < FIRST_PAGE) return;
    }
  }
}

/** Folders first, then by what is asked for; names decide where that is equal. */
export function sorted(items: Item[], { field, down }: Sort): Item[] {
  const sign = down ? -1 : 1;
  return [...items].sort((a, b) => {
    if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1;
    const by = field === 'sizeInBytes' ? a.bytes - b.bytes : field === 'lastModifiedDate' ? a.modified - b.modified : 0;
    return sign * (by || names.compare(a.name, b.name)) || (a.key < b.key ? -1 : 1);
  });
}
