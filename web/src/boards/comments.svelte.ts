// A board's comments, newest first, and the user's draft.
import { DELETE, GET, POST, PUT, dataOf, type Schemas } from '../api/client';
import { notifications } from '../app/notifications.svelte';
import { session } from '../app/session.svelte';
import type { Item } from '../files/item';
import { t } from '../words';

export type Comment = Schemas['BoardComment'];

const PAGE_SIZE = 50;

export class Comments {
  all = $state.raw<Comment[]>([]);
  next = $state<string | null>(null);
  /** Kept while the pane is closed. */
  draft = $state('');
  about = $state.raw<Item | null>(null);
  #params: { path: { board_key: string } };
  #isLoaded = false;

  constructor(boardKey: string) {
    this.#params = { path: { board_key: boardKey } };
  }

  /** Reload the newest page; older comments that are loaded stay. */
  async refresh(): Promise<void> {
    const page = await this.#page(null);
    this.#report(page.comments);
    const oldest = page.comments.at(-1);
    const older = oldest && page.nextCursor ? this.all.slice(indexAfter(this.all, oldest)) : [];
    this.all = [...page.comments, ...older];
    if (!older.length) this.next = page.nextCursor ?? null;
  }

  /** Other people's comments since the last refresh. */
  #report(newest: readonly Comment[]): void {
    const known = new Set(this.all.map((comment) => comment.commentKey));
    const [comment] = this.#isLoaded
      ? newest.filter((one) => !known.has(one.commentKey) && one.userId !== session.userId)
      : [];
    this.#isLoaded = true;
    if (comment) {
      const values = { name: comment.firstName, text: comment.text };
      notifications.report('comments', t('notify.comment', values), { inPage: false });
    }
  }

  async loadMore(): Promise<void> {
    if (!this.next) return;
    const page = await this.#page(this.next);
    const known = new Set(this.all.map((comment) => comment.commentKey));
    this.all = [...this.all, ...page.comments.filter((comment) => !known.has(comment.commentKey))];
    this.next = page.nextCursor ?? null;
  }

  async post(): Promise<void> {
    const body = { text: this.draft.trim(), ...(this.about ? { objectKey: this.about.key } : {}) };
    const posted = await dataOf(POST('/x/v1/boards/{board_key}/comments', { params: this.#params, body }));
    this.draft = '';
    this.about = null;
    this.all = [posted, ...this.all];
  }

  async edit(commentKey: string, text: string): Promise<void> {
    const params = this.#paramsOf(commentKey);
    const changed = await dataOf(PUT('/x/v1/boards/{board_key}/comments/{comment_key}', { params, body: { text } }));
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
    const params = { ...this.#params, query: { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) } };
    return dataOf(GET('/x/v1/boards/{board_key}/comments', { params }));
  }
}

/** The index of the first comment that is older than the given one. */
export function indexAfter(comments: readonly Comment[], given: Comment): number {
  const older = comments.findIndex((comment) => comment.createdDate < given.createdDate);
  const same = comments.findIndex((comment) => comment.commentKey === given.commentKey);
  return same >= 0 ? same + 1 : older >= 0 ? older : comments.length;
}
