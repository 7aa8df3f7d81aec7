// What people say on a board, newest first, and what somebody is about to say.
import { DELETE, GET, POST, PUT, answer, type Schemas } from '../api/client';
import type { Item } from '../files/item';

export type Comment = Schemas['BoardComment'];

const AT_ONCE = 50;

export class Comments {
  all = $state.raw<Comment[]>([]);
  next = $state<string | null>(null);
  /** Kept here, so that it is there again when the comments are closed and opened. */
  draft = $state('');
  about = $state.raw<Item | null>(null);
  #params: { path: { board_key: string } };

  constructor(boardKey: string) {
    this.#params = { path: { board_key: boardKey } };
  }

  /** The newest ones again; older ones that were asked for stay. */
  async look(): Promise<void> {
    const page = await this.#page(null);
    const oldest = page.comments.at(-1);
    const older = oldest && page.nextCursor ? this.all.slice(placeAfter(this.all, oldest)) : [];
    this.all = [...page.comments, ...older];
    if (!older.length) this.next = page.nextCursor ?? null;
  }

  async more(): Promise<void> {
    if (!this.next) return;
    const page = await this.#page(this.next);
    const known = new Set(this.all.map((comment) => comment.commentKey));
    this.all = [...this.all, ...page.comments.filter((comment) => !known.has(comment.commentKey))];
    this.next = page.nextCursor ?? null;
  }

  async say(): Promise<void> {
    const body = { text: this.draft.trim(), ...(this.about ? { objectKey: this.about.key } : {}) };
    const said = await answer(POST('/x/v1/boards/{board_key}/comments', { params: this.#params, body }));
    this.draft = '';
    this.about = null;
    this.all = [said, ...this.all];
  }

  async edit(commentKey: string, text: string): Promise<void> {
    const params = this.#paramsOf(commentKey);
    const changed = await answer(PUT('/x/v1/boards/{board_key}/comments/{comment_key}', { params, body: { text } }));
    this.all = this.all.map((comment) => (comment.commentKey === commentKey ? changed : comment));
  }

  async remove(commentKey: string): Promise<void> {
    await DELETE('/x/v1/boards/{board_key}/comments/{comment_key}', { params: this.#paramsOf(commentKey) });
    this.all = this.all.filter((comment) => comment.commentKey !== commentKey);
  }

  #paramsOf(commentKey: string): { path: { board_key: string; comment_key: string } } {
    return { path: { ...this.#params.path, comment_key: commentKey } };
  }

  #page(cursor: string | null): Promise<Schemas['BoardComments']> {
    const params = { ...this.#params, query: { limit: AT_ONCE, ...(cursor ? { cursor } : {}) } };
    return answer(GET('/x/v1/boards/{board_key}/comments', { params }));
  }
}

/** Where those begin that are older than the given one. */
export function placeAfter(comments: readonly Comment[], given: Comment): number {
  const place = comments.findIndex((comment) => comment.createdDate < given.createdDate);
  const same = comments.findIndex((comment) => comment.commentKey === given.commentKey);
  return same >= 0 ? same + 1 : place >= 0 ? place : comments.length;
}
