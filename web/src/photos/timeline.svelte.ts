// Pictures and videos by the month they were taken. The counts are loaded first, pictures on demand.
import { retryWhenBack } from '../app/recovery';
import { GET, dataOf } from '../api/client';
import type { DriveChanges } from '../app/live';
import type { ItemStore } from '../files/item_changes';
import { itemOf, type Item } from '../files/item';
import { dayOf, photoOf, type Photo } from './photo';
import type { Shape } from './justified';
import { stacksOf, type Stack } from './stacks';
import type { ViewSource } from '../preview/source.svelte';
import { monthId, positionOf, startsOf, type Month } from './months';

const PAGE_SIZE = 1000;
const MAX_LOADED = 60_000;
const NONE: readonly Photo[] = [];
const REFRESH_DELAY_MS = 400;

interface MonthLoad {
  goal: number;
  cursor: string | null;
  isComplete: boolean;
  running: Promise<void> | undefined;
}

export class Timeline implements ItemStore, ViewSource {
  months = $state.raw<Month[]>([]);
  /** The loaded pictures of each month, from the first one on. */
  loaded = $state.raw<ReadonlyMap<string, readonly Photo[]>>(new Map());
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #starts = $derived(startsOf(this.months));
  #loads = new Map<string, MonthLoad>();
  #stacks = new WeakMap<readonly Photo[], Map<number, Stack>>();
  #shapes = new WeakMap<readonly Photo[], readonly Shape[]>();
  #stopped = new AbortController();
  /** Months to reload though their count is unchanged. */
  #stale = new Set<string>();
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  get count(): number {
    return this.#starts.at(-1)!;
  }

  async loadMonths(): Promise<void> {
    this.state = 'loading';
    try {
      this.months = await this.#fetchMonths();
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = 'failed';
      retryWhenBack(problem, () => {
        if (this.state === 'failed' && !this.#stopped.signal.aborted) void this.loadMonths();
      });
    }
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#refreshTimer);
  }

  /** The loaded pictures of a month. */
  of(month: Month): readonly Photo[] {
    return this.loaded.get(monthId(month)) ?? NONE;
  }

  /** The stacks among the loaded pictures of a month, by the indexes of their parts. */
  stacks(month: Month): ReadonlyMap<number, Stack> {
    const photos = this.of(month);
    let stacks = this.#stacks.get(photos);
    if (!stacks) this.#stacks.set(photos, (stacks = stacksOf(photos)));
    return stacks;
  }

  /** The shapes of a month's loaded pictures. */
  shapes(month: Month): readonly Shape[] {
    const photos = this.of(month);
    const known = this.#shapes.get(photos);
    if (known) return known;
    const stacks = this.stacks(month);
    const shapes = photos.map(({ taken, ratio }, index) => {
      const stack = stacks.get(index);
      return { day: dayOf(taken), ratio, isHidden: stack !== undefined && stack.parts[0] !== index };
    });
    this.#shapes.set(photos, shapes);
    return shapes;
  }

  /** The pictures that are shown as one with this one, itself included; the shown one first. */
  partsOf(number: number): Photo[] {
    const position = positionOf(this.#starts, number);
    const month = position && this.months[position.month];
    const stack = month && this.stacks(month).get(position.index);
    return stack ? stack.parts.map((index) => this.of(month)[index]!) : [];
  }

  isHidden(number: number): boolean {
    const position = positionOf(this.#starts, number);
    const stack = position && this.stacks(this.months[position.month]!).get(position.index);
    return stack ? stack.parts[0] !== position!.index : false;
  }

  /** The first loaded picture of a day or, if it has none, of the one before it. */
  dayStart(day: number): number {
    for (const [number, month] of this.months.entries()) {
      const index = this.of(month).findIndex((photo) => dayOf(photo.taken) <= day);
      if (index >= 0) return this.#starts[number]! + index;
    }
    return this.count - 1;
  }

  startOf(month: Month): number {
    return this.#starts[this.months.indexOf(month)] ?? 0;
  }

  /** Load a month up to this many of its pictures. */
  load(month: Month, upTo = month.count): Promise<void> {
    const id = monthId(month);
    const monthLoad: MonthLoad = this.#loads.get(id) ?? {
      goal: 0,
      cursor: null,
      isComplete: false,
      running: undefined,
    };
    this.#loads.set(id, monthLoad);
    monthLoad.goal = Math.max(monthLoad.goal, upTo);
    monthLoad.running ??= this.#read(month, monthLoad).finally(() => (monthLoad.running = undefined));
    return monthLoad.running;
  }

  /** If too many pictures are loaded, evict all but these months. */
  evictExcept(months: Month[]): void {
    let size = 0;
    for (const items of this.loaded.values()) size += items.length;
    if (size <= MAX_LOADED) return;
    const kept = new Set(months.map(monthId));
    this.loaded = new Map([...this.loaded].filter(([id]) => kept.has(id)));
    for (const id of this.#loads.keys()) if (!kept.has(id)) this.#loads.delete(id);
  }

  at(number: number): Photo | undefined {
    const position = positionOf(this.#starts, number);
    if (!position) return undefined;
    const month = this.months[position.month]!;
    const item = this.of(month)[position.index];
    if (!item) queueMicrotask(() => void this.load(month, position.index + 1).catch(() => {}));
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
      if (items.some((item) => (byKey.get(item.key)?.version ?? item.version) !== item.version)) {
        this.#stale.add(id);
        this.#refreshSoon();
      }
      next.set(
        id,
        // A new version may have another shape, which the refresh brings.
        items.map((item) => ({ ...item, ...byKey.get(item.key) })),
      );
      for (const { key } of items) byKey.delete(key);
    }
    this.loaded = next;
    if ([...byKey.values()].some(isPhotoOrVideo)) this.#refreshSoon();
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

  /** Apply changes made elsewhere. */
  applyChanges({ items, gone, reloadAll }: DriveChanges): void {
    const known = new Set([...this.loaded.values()].flatMap((items) => items.map((item) => item.key)));
    this.drop(gone);
    // An unknown key may be a folder with pictures.
    if (reloadAll || gone.some((key) => !known.has(key))) this.#refreshSoon();
    this.put(...items);
    if (items.some((item) => item.kind === 'folder')) this.#refreshSoon();
  }

  #refreshSoon(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => void this.#refresh().catch(() => {}), REFRESH_DELAY_MS);
  }

  /** Reload the counts, and the loaded months whose count has changed; they stay visible until then. */
  async #refresh(): Promise<void> {
    const months = await this.#fetchMonths();
    const before = new Map(this.months.map((month) => [monthId(month), month.count]));
    const changed = months.filter((month) => {
      const id = monthId(month);
      return this.loaded.has(id) && (before.get(id) !== month.count || this.#stale.has(id));
    });
    this.months = months;
    this.#stale.clear();
    await Promise.all(changed.map((month) => this.#reload(month)));
  }

  async #reload(month: Month): Promise<void> {
    const id = monthId(month);
    const goal = this.#loads.get(id)?.goal ?? PAGE_SIZE;
    const fresh: Photo[] = [];
    const monthLoad: MonthLoad = { goal, cursor: null, isComplete: false, running: undefined };
    this.#loads.set(id, monthLoad);
    monthLoad.running = this.#read(month, monthLoad, fresh).finally(() => (monthLoad.running = undefined));
    await monthLoad.running;
  }

  async #read(month: Month, monthLoad: MonthLoad, fresh?: Photo[]): Promise<void> {
    const id = monthId(month);
    const have = (): readonly Photo[] => fresh ?? this.loaded.get(id) ?? [];
    while (!monthLoad.isComplete && have().length < monthLoad.goal) {
      const { year, month: number } = month;
      const query = {
        year,
        month: number,
        limit: PAGE_SIZE,
        ...(monthLoad.cursor ? { cursor: monthLoad.cursor } : {}),
      };
      const page = await dataOf(GET('/x/v1/timeline/objects', { params: { query }, signal: this.#stopped.signal }));
      // The month was reloaded or evicted in the meantime.
      if (this.#loads.get(id) !== monthLoad) return;
      monthLoad.cursor = page.nextCursor ?? null;
      monthLoad.isComplete = !monthLoad.cursor;
      const facts = new Map((page.facts ?? []).map((fact) => [fact.objectKey, fact]));
      const items = [...have(), ...page.objects.map((object) => photoOf(itemOf(object), facts.get(object.objectKey)))];
      if (fresh) fresh.splice(0, fresh.length, ...items);
      if (!fresh || monthLoad.isComplete || items.length >= monthLoad.goal) this.#show(id, items);
    }
    if (monthLoad.isComplete) this.#setCount(id, have().length);
  }

  /** By the cameras' clocks, so that the pictures of a day are together even if they come from two time zones. */
  #show(id: string, items: readonly Photo[]): void {
    this.loaded = new Map(this.loaded).set(
      id,
      [...items].sort((one, other) => other.taken - one.taken),
    );
  }

  /** Pictures were added or removed after the counts were loaded. */
  #setCount(id: string, count: number): void {
    const month = this.months.find((other) => monthId(other) === id);
    if (!month || month.count === count) return;
    this.months = this.months
      .map((other) => (other === month ? { ...other, count } : other))
      .filter(({ count: left }) => left > 0);
  }

  async #fetchMonths(): Promise<Month[]> {
    const { months } = await dataOf(GET('/x/v1/timeline', { signal: this.#stopped.signal }));
    return months.map(({ year, month, count }) => ({ year, month, count }));
  }
}

function isPhotoOrVideo(item: Item): boolean {
  return item.kind === 'image' || item.kind === 'video';
}
