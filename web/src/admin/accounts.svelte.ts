// The server's accounts, as operators see them: a list in pages, and what can be done to each.
import { GET, POST, PUT, dataOf, type Schemas } from '../api/client';

export type Account = Schemas['ManagedAccount'];
export type Link = Schemas['PasswordLink'];

export function nameOf(account: Pick<Account, 'firstName' | 'lastName'>): string {
  return `${account.firstName} ${account.lastName}`.trim();
}

export class Accounts {
  all = $state.raw<Account[]>([]);
  state = $state<'loading' | 'ready'>('loading');
  nextCursor = $state<string | null>(null);
  #search = '';
  #loads = 0;

  async load(search = this.#search): Promise<void> {
    this.#search = search;
    const load = ++this.#loads;
    const page = await this.#page(null);
    // A later search may have been answered first.
    if (load !== this.#loads) return;
    this.all = page.accounts;
    this.nextCursor = page.nextCursor ?? null;
    this.state = 'ready';
  }

  async loadMore(): Promise<void> {
    const page = await this.#page(this.nextCursor);
    this.all = [...this.all, ...page.accounts];
    this.nextCursor = page.nextCursor ?? null;
  }

  #page(cursor: string | null): Promise<Schemas['ManagedAccounts']> {
    const query = { ...(cursor ? { cursor } : {}), ...(this.#search ? { search: this.#search } : {}) };
    return dataOf(GET('/x/v1/admin/accounts', { params: { query } }));
  }

  #put(changed: Account): Account {
    const isKnown = this.all.some((one) => one.userId === changed.userId);
    this.all = isKnown
      ? this.all.map((one) => (one.userId === changed.userId ? changed : one))
      : [...this.all, changed];
    return changed;
  }

  async invite(body: Schemas['NewAccountRequest']): Promise<Link> {
    const link = await dataOf(POST('/x/v1/admin/accounts', { body }));
    this.#put(link.account);
    return link;
  }

  async edit(account: Account, body: Schemas['AccountEditRequest']): Promise<void> {
    this.#put(await dataOf(PUT('/x/v1/admin/accounts/{account_key}', { ...pathOf(account), body })));
  }

  async createLink(account: Account, password: string): Promise<Link> {
    const link = await dataOf(
      POST('/x/v1/admin/accounts/{account_key}/link', { ...pathOf(account), body: { password } }),
    );
    this.#put(link.account);
    return link;
  }

  async setOperator(account: Account, isOperator: boolean, password: string): Promise<void> {
    const body = { isOperator, password };
    this.#put(await dataOf(PUT('/x/v1/admin/accounts/{account_key}/operator', { ...pathOf(account), body })));
  }

  async resetFactor(account: Account, password: string, removesPasskeys: boolean): Promise<void> {
    const request = { ...pathOf(account), body: { password, removesPasskeys } };
    this.#put(await dataOf(POST('/x/v1/admin/accounts/{account_key}/second-factor/reset', request)));
  }

  async delete(account: Account, password: string): Promise<void> {
    const request = { ...pathOf(account), body: { password } };
    this.#put(await dataOf(POST('/x/v1/admin/accounts/{account_key}/deletion', request)));
  }

  async keep(account: Account): Promise<void> {
    this.#put(await dataOf(POST('/x/v1/admin/accounts/{account_key}/deletion/cancel', pathOf(account))));
  }
}

function pathOf(account: Account): { params: { path: { account_key: string } } } {
  return { params: { path: { account_key: account.userId } } };
}
