// The selection and keyboard cursor of a list, as in file managers.

export class Selection {
  /** The keys of the list in its order. */
  #keys: () => readonly string[];
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** The key at the keyboard cursor. */
  cursor = $state<string | null>(null);
  #anchor: string | null = null;

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  get size(): number {
    return this.selected.size;
  }

  has(key: string): boolean {
    return this.selected.has(key);
  }

  only(key: string): void {
    this.selected = new Set([key]);
    this.cursor = this.#anchor = key;
  }

  toggle(key: string): void {
    const next = new Set(this.selected);
    if (!next.delete(key)) next.add(key);
    this.selected = next;
    this.cursor = this.#anchor = key;
  }

  /** Select the range from the anchor to this key. */
  extendTo(key: string): void {
    const keys = this.#keys();
    const from = Math.max(0, keys.indexOf(this.#anchor ?? key));
    const to = keys.indexOf(key);
    if (to < 0) return;
    this.selected = new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1));
    this.#anchor = keys[from] ?? key;
    this.cursor = key;
  }

  all(): void {
    this.selected = new Set(this.#keys());
  }

  clear(): void {
    if (this.selected.size) this.selected = new Set();
    this.#anchor = null;
  }

  /** Remove keys that are no longer in the list. */
  prune(): void {
    const keys = new Set(this.#keys());
    if (this.cursor && !keys.has(this.cursor)) this.cursor = null;
    if ([...this.selected].some((key) => !keys.has(key))) {
      this.selected = new Set([...this.selected].filter((key) => keys.has(key)));
    }
  }

  /** Handle a click with its modifier keys. */
  click(key: string, modifiers: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): void {
    if (modifiers.shiftKey) this.extendTo(key);
    else if (modifiers.ctrlKey || modifiers.metaKey) this.toggle(key);
    else this.only(key);
  }

  /** Move the cursor; `extend` (Shift) extends the selection to it. */
  step(by: number, extend: boolean): string | null {
    const keys = this.#keys();
    if (!keys.length) return null;
    const at = this.cursor ? keys.indexOf(this.cursor) : -1;
    const from = at < 0 && by < 0 ? keys.length : at;
    const key = keys[Math.min(keys.length - 1, Math.max(0, from + by))]!;
    if (extend) {
      this.#anchor ??= this.cursor ?? key;
      this.extendTo(key);
    } else this.only(key);
    return key;
  }
}
