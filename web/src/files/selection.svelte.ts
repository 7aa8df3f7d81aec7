// What is selected in a list, and where the keyboard is: as file managers do it.

export class Selection {
  /** Keys of the list in the order in which it is shown. */
  #keys: () => readonly string[];
  chosen = $state.raw<ReadonlySet<string>>(new Set());
  /** Where the keyboard is. */
  cursor = $state<string | null>(null);
  #anchor: string | null = null;

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  get size(): number {
    return this.chosen.size;
  }

  has(key: string): boolean {
    return this.chosen.has(key);
  }

  only(key: string): void {
    this.chosen = new Set([key]);
    this.cursor = this.#anchor = key;
  }

  toggle(key: string): void {
    const next = new Set(this.chosen);
    if (!next.delete(key)) next.add(key);
    this.chosen = next;
    this.cursor = this.#anchor = key;
  }

  /** From where the last selection began up to here. */
  through(key: string): void {
    const keys = this.#keys();
    const from = Math.max(0, keys.indexOf(this.#anchor ?? key));
    const to = keys.indexOf(key);
    if (to < 0) return;
    this.chosen = new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1));
    this.#anchor = keys[from] ?? key;
    this.cursor = key;
  }

  all(): void {
    this.chosen = new Set(this.#keys());
  }

  clear(): void {
    if (this.chosen.size) this.chosen = new Set();
    this.#anchor = null;
  }

  /** Forget what is not in the list any more. */
  keep(): void {
    const there = new Set(this.#keys());
    if (this.cursor && !there.has(this.cursor)) this.cursor = null;
    if ([...this.chosen].some((key) => !there.has(key))) {
      this.chosen = new Set([...this.chosen].filter((key) => there.has(key)));
    }
  }

  /** A click with whatever keys are held. */
  click(key: string, held: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): void {
    if (held.shiftKey) this.through(key);
    else if (held.ctrlKey || held.metaKey) this.toggle(key);
    else this.only(key);
  }

  /** Move the keyboard by so many places; with shift the selection grows. */
  step(by: number, grow: boolean): string | null {
    const keys = this.#keys();
    if (!keys.length) return null;
    const at = this.cursor ? keys.indexOf(this.cursor) : -1;
    const from = at < 0 && by < 0 ? keys.length : at;
    const key = keys[Math.min(keys.length - 1, Math.max(0, from + by))]!;
    if (grow) {
      this.#anchor ??= this.cursor ?? key;
      this.through(key);
    } else this.only(key);
    return key;
  }
}
