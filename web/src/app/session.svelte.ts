// Who is logged in. The token is in a cookie that this code cannot read; what is kept here is gone with the page.
import { GET, POST, PUT, answer, pause, whenSessionEnds, type Schemas } from '../api/client';
import { ROOT_KEY } from '../api/early';
import { ApiError, isPassing } from '../api/errors';
import { connection } from './connection.svelte';
import { notices } from './notices.svelte';

type Profile = Schemas['UserProfile'];

// A nonce opens downloads and thumbnails for ten minutes.
const NONCE_EVERY_MS = 8 * 60 * 1000;
const AGAIN_AFTER_MS = 2000;

class Session {
  state = $state<'unknown' | 'out' | 'in'>('unknown');
  profile = $state<Profile | null>(null);
  /** There is a nonce: downloads and thumbnails open. */
  mayDownload = $state(false);
  /** The profile and a nonce are there: they come a moment after the person is in. */
  isReady = $derived(this.profile !== null && this.mayDownload);
  userId = $state('');
  rootKey = '';
  /** Where the changes of the account stood before anything of it was read: who follows them from there misses none. */
  changesCursor: string | null = null;
  #jwt = '';
  #nonceTimer: ReturnType<typeof setInterval> | undefined;
  #nonceAt = 0;

  async start(): Promise<void> {
    try {
      await this.#enter(await answer(GET('/x/v1/session')));
    } catch (problem) {
      if (problem instanceof ApiError && (problem.status === 401 || problem.status === 403)) this.state = 'out';
      else throw problem;
    }
  }

  /** Without a code that the account asks for, the server says so: ApiError SKY2005. */
  async login(emailId: string, password: string, code: string | null = null): Promise<void> {
    const body = { emailId, password, code, deviceName: browserName(), platformType: 'Web', inCookie: true };
    await this.#enter(await answer(POST('/x/v1/login', { body })));
  }

  async logout(): Promise<void> {
    await PUT('/security/users/logout');
    this.ended();
  }

  ended(): void {
    clearInterval(this.#nonceTimer);
    localStorage.removeItem(ROOT_KEY);
    this.state = 'out';
    this.userId = '';
    this.profile = null;
    this.mayDownload = false;
    this.#jwt = '';
  }

  async reloadProfile(): Promise<void> {
    this.profile = await answer(GET('/security/users'));
  }

  /** The list of files needs no more than this, so it does not wait for the rest. */
  async #enter(opened: Schemas['LoginAnswer']): Promise<void> {
    this.userId = opened.userId;
    this.rootKey = opened.rootFolderKey;
    localStorage.setItem(ROOT_KEY, this.rootKey);
    this.#jwt = opened.jwt;
    await this.#markChanges();
    // It may be over by then.
    if (this.#jwt !== opened.jwt) return;
    this.state = 'in';
    void this.#complete(opened.jwt);
    clearInterval(this.#nonceTimer);
    this.#nonceTimer = setInterval(() => void this.renewNonce().catch(() => {}), NONCE_EVERY_MS);
  }

  async #complete(jwt: string): Promise<void> {
    while (this.#jwt === jwt && !this.isReady) {
      try {
        await Promise.all([this.profile ?? this.reloadProfile(), this.mayDownload || this.renewNonce()]);
      } catch (problem) {
        if (this.#jwt !== jwt) return;
        if (!isPassing(problem)) return notices.wrong(problem);
        await Promise.all([connection.back(), pause(AGAIN_AFTER_MS)]);
      }
    }
  }

  async #markChanges(): Promise<void> {
    this.changesCursor = await answer(GET('/x/v1/changes')).then(
      (page) => page.cursor,
      // Then from when the stream begins.
      () => null,
    );
  }

  async renewNonce(): Promise<void> {
    await POST('/security/getokenforcookie', { body: { jwt: this.#jwt } });
    this.#nonceAt = Date.now();
    this.mayDownload = true;
  }

  /** A page that slept has a nonce that is over. */
  async wakeUp(): Promise<void> {
    if (this.state === 'in' && Date.now() - this.#nonceAt > NONCE_EVERY_MS) await this.renewNonce().catch(() => {});
  }
}

export const session = new Session();

whenSessionEnds(() => session.ended());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void session.wakeUp();
});

function browserName(): string {
  const agent = navigator.userAgent;
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => agent.includes(name)) ?? 'Browser';
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => agent.includes(name)) ?? '';
  const said: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  return [said[browser] ?? browser, system && `on ${system}`].filter(Boolean).join(' ');
}
