// The text that is open in the editor: its state, its draft, and what happens when somebody else has saved since.
import { ApiError } from '../api/errors';
import type { DriveChanges } from '../app/live';
import { retryWhenBack } from '../app/recovery';
import { session } from '../app/session.svelte';
import type { Item } from '../files/item';
import { copyName } from './copy_name';
import { draftOf, dropDraft, keepDraft } from './drafts';
import { itemAt, readFile, readVersion, store, Unfit } from './text_file';

const CHANGED = 'SKY4009';
const DRAFT_MS = 400;

export interface Conflict {
  /** The file as it is now; null if it is gone. */
  item: Item | null;
  theirs: string;
}

export class OpenText {
  readonly key: string;
  state = $state<'loading' | 'ready' | 'unfit' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  item = $state.raw<Item | null>(null);
  isChanged = $state(false);
  isSaving = $state(false);
  /** Somebody else has saved a version since. */
  isOutdated = $state(false);
  /** When the draft was typed that the editor began with. */
  draftFrom = $state<number | null>(null);
  isDraftKept = $state(true);
  conflict = $state.raw<Conflict | null>(null);
  /** What the editor begins with. */
  text = '';
  lineBreak: '\n' | '\r\n' = '\n';
  #hasMark = false;
  /** The text of the version that is edited. */
  #saved = '';
  #version = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = new AbortController();
  #isDiscarded = false;
  #user = session.userId;
  #current: () => string = () => this.text;

  constructor(key: string) {
    this.key = key;
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      const file = await readFile(this.key, this.#stopped.signal);
      const draft = draftOf(this.#user, this.key);
      this.item = file.item;
      this.lineBreak = file.lineBreak;
      this.#hasMark = file.hasMark;
      this.#saved = file.text;
      this.#version = file.item.version;
      this.text = file.text;
      this.isOutdated = false;
      if (draft && draft.text !== file.text) {
        this.text = draft.text;
        this.draftFrom = draft.at;
        this.isOutdated = draft.version !== this.#version;
        this.#version = draft.version;
      }
      this.isChanged = this.text !== file.text;
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      this.state = problem instanceof Unfit ? 'unfit' : 'failed';
      retryWhenBack(problem, () => {
        if (this.state === 'failed' && !this.#stopped.signal.aborted) void this.load();
      });
    }
  }

  /** Where the text is typed. */
  readFrom(current: () => string): void {
    this.#current = current;
  }

  typed(): void {
    this.isChanged = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), DRAFT_MS);
  }

  /** Keep the draft now. */
  keep(): void {
    clearTimeout(this.#timer);
    if (this.state !== 'ready' || !this.item || this.#isDiscarded) return;
    const text = this.#current();
    this.isChanged = text !== this.#saved;
    if (!this.isChanged) return dropDraft(this.#user, this.key);
    this.isDraftKept = keepDraft(this.#user, this.key, { text, version: this.#version, at: Date.now() });
  }

  /** Discard unsaved text: the file must be opened again. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#isDiscarded = true;
    dropDraft(this.#user, this.key);
    this.draftFrom = null;
    this.isChanged = false;
  }

  async save({ over }: { over?: Item } = {}): Promise<boolean> {
    if (this.isSaving || !this.item) return false;
    this.keep();
    this.isSaving = true;
    const text = this.#current();
    try {
      const expectedVersion = over?.version ?? this.#version;
      this.#stored(await store(over ?? this.item, text, { hasMark: this.#hasMark, expectedVersion }), text);
      return true;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (problem.status === 401) {
        // The page asks for the password; then saving continues.
        await session.renewed();
        this.isSaving = false;
        return await this.save(over ? { over } : {});
      }
      if (problem.code !== CHANGED && problem.status !== 404) throw problem;
      return await this.#meet(text);
    } finally {
      this.isSaving = false;
    }
  }

  /** Save the text as a file next to the other one; returns the new file. */
  async saveBeside(): Promise<Item> {
    const { item } = this;
    if (!item) throw new Error('Nothing is open.');
    const place = { ...item, name: copyName(item.name, new Date()), parentKey: item.parentKey ?? session.rootKey };
    const beside = await store(place, this.#current(), { hasMark: this.#hasMark });
    this.discard();
    this.conflict = null;
    return beside;
  }

  #stored(item: Item, text: string): void {
    this.item = item;
    this.#version = item.version;
    this.#saved = text;
    this.isOutdated = false;
    this.draftFrom = null;
    this.conflict = null;
    this.keep();
  }

  /** The file is not what was expected: moved, saved by ourselves in a request whose answer was lost, or by others. */
  async #meet(text: string): Promise<boolean> {
    let now: Item;
    try {
      now = await itemAt(this.key);
    } catch (problem) {
      if (!(problem instanceof ApiError) || !problem.isGone) throw problem;
      this.conflict = { item: null, theirs: '' };
      return false;
    }
    if (now.version === this.#version && (now.name !== this.item?.name || now.parentKey !== this.item.parentKey)) {
      this.item = now;
      this.isSaving = false;
      return this.save();
    }
    const theirs = (await readVersion(now, now.version, this.#stopped.signal)).text;
    if (theirs === text) {
      this.#stored(now, text);
      return true;
    }
    this.isOutdated = true;
    this.conflict = { item: now, theirs };
    return false;
  }

  /** The newer version, to compare with. */
  async compare(): Promise<void> {
    const now = await itemAt(this.key);
    this.conflict = { item: now, theirs: (await readVersion(now, now.version, this.#stopped.signal)).text };
  }

  /** Whether to reload the text: somebody else has saved, and nothing was typed here. */
  applyChanges(changes: DriveChanges): boolean {
    const changed = changes.items.find((item) => item.key === this.key);
    if (!changed || this.state !== 'ready' || this.isSaving || changed.version <= this.#version) return false;
    if (!this.isChanged) return true;
    this.isOutdated = true;
    return false;
  }

  stop(): void {
    this.keep();
    this.#stopped.abort();
  }
}
