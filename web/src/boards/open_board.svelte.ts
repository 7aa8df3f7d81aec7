// The board that is shown: its items, members and comments.
import { DELETE, GET, PUT, dataOf, type Schemas } from '../api/client';
import { ApiError } from '../api/errors';
import { retryWhenBack } from '../app/recovery';
import type { ItemStore } from '../files/item_changes';
import type { Item } from '../files/item';
import { boardItemOf, isOwn } from './board_item';
import type { Board } from './boards.svelte';
import { Comments } from './comments.svelte';
import { roleOf, type Role } from './roles';

export type Member = Schemas['BoardMember'];

const PAGE_SIZE = 5000;

export class OpenBoard implements ItemStore {
  readonly key: string;
  readonly comments: Comments;
  board = $state.raw<Board | null>(null);
  items = $state.raw<Item[]>([]);
  members = $state.raw<Member[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  #me: string;
  #params: { path: { board_key: string } };
  #stopped = new AbortController();

  constructor(key: string, me: string) {
    this.key = key;
    this.#me = me;
    this.#params = { path: { board_key: key } };
    this.comments = new Comments(key);
  }

  get role(): Role {
    return roleOf(this.board?.memberType);
  }

  get isGone(): boolean {
    return this.problem instanceof ApiError && this.problem.isGone;
  }

  isMe(userId: string): boolean {
    return userId === this.#me;
  }

  canRemove(items: readonly Item[]): boolean {
    return this.role === 'O' || items.every(isOwn);
  }

  async load(): Promise<void> {
    this.state = 'loading';
    await this.#loading(() => this.#read());
  }

  /** Reload a board that has changed. */
  async refresh(): Promise<void> {
    await this.#loading(() => this.#read());
  }

  /** Reload the board if it differs from the one shown. */
  async refreshIfChanged(): Promise<void> {
    await this.#loading(async () => {
      const { board } = await this.#page(0, 1);
      if (!this.board || fingerprintOf(board) !== fingerprintOf(this.board)) await this.#read();
    });
  }

  stop(): void {
    this.#stopped.abort();
  }

  put(...changed: Item[]): void {
    const byKey = new Map(changed.map((item) => [item.key, item]));
    this.items = this.items.map((item) => byKey.get(item.key) ?? item);
  }

  drop(keys: Iterable<string>): void {
    const gone = new Set(keys);
    this.items = this.items.filter((item) => !gone.has(item.key));
  }

  async edit(boardName: string, boardDescription: string): Promise<void> {
    const body = { boardName, boardDescription };
    this.board = await dataOf(PUT('/x/v1/boards/{board_key}', { params: this.#params, body }));
  }

  async setCover(objectKey: string | null): Promise<void> {
    this.board = await dataOf(PUT('/x/v1/boards/{board_key}/cover', { params: this.#params, body: { objectKey } }));
  }

  async setRole(userId: string, memberType: Role): Promise<void> {
    const params = { path: { ...this.#params.path, user_id: userId } };
    const result = await dataOf(PUT('/x/v1/boards/{board_key}/members/{user_id}', { params, body: { memberType } }));
    this.members = result.boardMembers;
  }

  async removeMember(userId: string): Promise<void> {
    const params = { path: { ...this.#params.path, user_id: userId } };
    await DELETE('/x/v1/boards/{board_key}/members/{user_id}', { params });
    this.members = this.members.filter((member) => member.userId !== userId);
    await this.refreshIfChanged();
  }

  async leave(): Promise<void> {
    await PUT('/invites/boards/{board_key}/unjoin', { params: this.#params, body: [] });
  }

  async delete(): Promise<void> {
    await DELETE('/x/v1/boards/{board_key}', { params: this.#params });
  }

  async #loading(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = null;
      this.state = 'ready';
    } catch (problem) {
      if (this.#stopped.signal.aborted) return;
      this.problem = problem;
      // A failed refresh keeps what is shown, unless the board no longer exists.
      if (this.state !== 'loading' && !this.isGone) throw problem;
      this.state = 'failed';
      retryWhenBack(problem, () => {
        if (this.state === 'failed' && !this.#stopped.signal.aborted) void this.load();
      });
    }
  }

  async #read(): Promise<void> {
    const [roster] = await Promise.all([
      dataOf(GET('/invites/boards/{board_key}/members', { params: this.#params, signal: this.#stopped.signal })),
      this.#readItems(),
      this.comments.refresh(),
    ]);
    this.members = roster.boardMembers;
  }

  async #readItems(): Promise<void> {
    const all: Item[] = [];
    for (let page = 0; ; page++) {
      const { board, objects } = await this.#page(page, PAGE_SIZE);
      all.push(...objects.map(boardItemOf));
      this.board = board;
      if (objects.length < PAGE_SIZE) break;
    }
    this.items = all;
  }

  #page(page: number, limit: number): Promise<Schemas['BoardDetails']> {
    const query = { page, limit, sort: '-lastModifiedDate' as const };
    const params = { ...this.#params, query };
    return dataOf(GET('/boards/{board_key}', { params, signal: this.#stopped.signal }));
  }
}

/** Changes whenever anything about the board changes. */
export function fingerprintOf(board: Board): string {
  return JSON.stringify(Object.entries(board).sort());
}
