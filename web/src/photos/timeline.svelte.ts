// Pictures and videos by the month in which they were taken. Counts come at once, pictures when somebody gets there.
import { GET, answer } from '../api/client';
import type { Happened } from '../app/live';
import type { ItemStore } from '../files/changing';
import { itemOf, type Item } from '../files/item';
import type { ViewSource } from '../preview/source.svelte';
import { monthId, placeOf, startsOf, type Month } from './months';

const AT_ONCE = 1000;
const KEPT_AT_MOST = 60_000;
const LOOK_AGAIN_AFTER_MS = 400;

interface Reading {
  goal: number;
  cursor: string | null;
  isOver: boolean;
  running: Promise<void> | undefined;
}

export class Timeline implements ItemStore, ViewSource {
  months = $state.raw<Month[]>([]);
  /** What is loaded of a month, from its first picture on. */
  loaded = $state.raw<ReadonlyMap<string, readonly Item[]>>(new Map());
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #starts = $derived(startsOf(this.months));
  #readings = new Map<string, Reading>();
  #stopped = new AbortController();
  #lookAgain: ReturnType<typeof setTimeout> | undefined;

  get count(): number {
    return this.#starts.at(-1)!;
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      this.months = await this.#ask();
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
    }
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#lookAgain);
  }

  /** The loaded pictures of a month. */
  of(month: Month): readonly Item[] {
    return this.loaded.get(monthId(month)) ?? [];
  }

  /** Load a month up to that many of its pictures. */
  want(month: Month, upTo = month.count): Promise<void> {
    const id = monthId(month);
    const reading: Reading = this.#readings.get(id) ?? { goal: 0, cursor: null, isOver: false, running: undefined };
    this.#readings.set(id, reading);
    reading.goal = Math.max(reading.goal, upTo);
    reading.running ??= this.#read(month, reading).finally(() => (reading.running = undefined));
    return reading.running;
  }

  /** Forget the pictures of months that are not asked for, where there are too many. */
  forgetBut(months: Month[]): void {
    let size = 0;
    for (const items of this.loaded.values()) size += items.length;
    if (size <= KEPT_AT_MOST) return;
    const kept = new Set(months.map(monthId));
    this.loaded = new Map([...this.loaded].filter(([id]) => kept.has(id)));
    for (const id of this.#readings.keys()) if (!kept.has(id)) this.#readings.delete(id);
  }

  at(number: number): Item | undefined {
    const place = placeOf(this.#starts, number);
    if (!place) return undefined;
    const month = this.months[place.month]!;
    const item = this.of(month)[place.index];
    if (!item) queueMicrotask(() => void this.want(month, place.index + 1).catch(() => {}));
    return item;
  }

  indexOf(key: string): number {
    for (const [number, month] of this.months.entries()) {
      const index = this.of(month).findIndex((item) => item.key === key);
      if (index >= 0) return this.#starts[number]! + index;
    }
    return -1;
  }

  put(...changed: Item[]): void {
    const byKey = new Map(changed.map((item) => [item.key, item]));
    const next = new Map(this.loaded);
    for (const [id, items] of this.loaded) {
      if (!items.some((item) => byKey.has(item.key))) continue;
      next.set(
        id,
        items.map((item) => byKey.get(item.key) ?? item),
      );
      for (const { key } of items) byKey.delete(key);
    }
    this.loaded = next;
    if ([...byKey.values()].some(isMedium)) this.#lookAgainSoon();
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    const next = new Map(this.loaded);
    const fewer = new Map<string, number>();
    for (const [id, items] of this.loaded) {
      const left = items.filter((item) => !gone.has(item.key));
      if (left.length === items.length) continue;
      next.set(id, left);
      fewer.set(id, items.length - left.length);
    }
    if (!fewer.size) return;
    this.loaded = next;
    this.months = this.months
      .map((month) => ({ ...month, count: month.count - (fewer.get(monthId(month)) ?? 0) }))
      .filter((month) => month.count > 0);
  }

  /** What happened elsewhere. */
  follow({ items, gone, everything }: Happened): void {
    const known = new Set([...this.loaded.values()].flatMap((some) => some.map((item) => item.key)));
    this.drop(gone);
    // What is not known may be a folder full of pictures.
    if (everything || gone.some((key) => !known.has(key))) this.#lookAgainSoon();
    this.put(...items);
    if (items.some((item) => item.kind === 'folder')) this.#lookAgainSoon();
  }

  #lookAgainSoon(): void {
    clearTimeout(this.#lookAgain);
    this.#lookAgain = setTimeout(() => void this.#refresh().catch(() => {}), LOOK_AGAIN_AFTER_MS);
  }

  /** Ask for the counts again; months that have changed are read anew, and stay as they are until then. */
  async #refresh(): Promise<void> {
    const months = await this.#ask();
    const before = new Map(this.months.map((month) => [monthId(month), month.count]));
    const changed = months.filter((month) => {
      const id = monthId(month);
      return this.loaded.has(id) && before.get(id) !== month.count;
    });
    this.months = months;
    await Promise.all(changed.map((month) => this.#readAnew(month)));
  }

  async #readAnew(month: Month): Promise<void> {
    const id = monthId(month);
    const goal = this.#readings.get(id)?.goal ?? AT_ONCE;
    const fresh: Item[] = [];
    const reading: Reading = { goal, cursor: null, isOver: false, running: undefined };
    this.#readings.set(id, reading);
    reading.running = this.#read(month, reading, fresh).finally(() => (reading.running = undefined));
    await reading.running;
  }

  async #read(month: Month, reading: Reading, fresh?: Item[]): Promise<void> {
    const id = monthId(month);
    const have = (): readonly Item[] => fresh ?? this.loaded.get(id) ?? [];
    while (!reading.isOver && have().length < reading.goal) {
      const { year, month: number } = month;
      const query = { year, month: number, limit: AT_ONCE, ...(reading.cursor ? { cursor: reading.cursor } : {}) };
      const page = await answer(GET('/x/v1/timeline/objects', { params: { query }, signal: this.#stopped.signal }));
      // Somebody reads this month anew, or nobody wants it any more.
      if (this.#readings.get(id) !== reading) return;
      reading.cursor = page.nextCursor ?? null;
      reading.isOver = !reading.cursor;
      const items = [...have(), ...page.objects.map(itemOf)];
      if (fresh) fresh.splice(0, fresh.length, ...items);
      if (!fresh || reading.isOver || items.length >= reading.goal) this.#show(id, items);
    }
    if (reading.isOver) this.#setCount(id, have().length);
  }

  #show(id: string, items: readonly Item[]): void {
    this.loaded = new Map(this.loaded).set(id, [...items]);
  }

  /** Something came or went between the count and the pictures. */
  #setCount(id: string, count: number): void {
    const month = this.months.find((one) => monthId(one) === id);
    if (!month || month.count === count) return;
    this.months = this.months.map((one) => (one === month ? { ...one, count } : one)).filter((one) => one.count > 0);
  }

  async #ask(): Promise<Month[]> {
    const { months } = await answer(GET('/x/v1/timeline', { signal: this.#stopped.signal }));
    return months.map(({ year, month, count }) => ({ year, month, count }));
  }
}

function isMedium(item: Item): boolean {
  return item.kind === 'image' || item.kind === 'video';
}
