// The user's session. The token is in a cookie that scripts cannot read; this state lives as long as the page.
import { forgetPages } from '../api/known_pages';
import { GET, POST, PUT, dataOf, onSessionEnd, type Schemas } from '../api/client';
import { delay } from '../api/delay';
import { ROOT_KEY, discardPrefetched } from '../api/prefetch';
import { ApiError, isTransient } from '../api/errors';
import { connection } from './connection.svelte';
import { notices } from './notices.svelte';

type Profile = Schemas['UserProfile'];

// A nonce allows downloads and thumbnails for ten minutes.
const NONCE_INTERVAL_MS = 8 * 60 * 1000;
const RETRY_DELAY_MS = 2000;
const JWT_REFUSED = 'SKY2003';
const LAST_EMAIL = 'skyshelf.email';

class Session {
  state = $state<'unknown' | 'out' | 'in'>('unknown');
  profile = $state<Profile | null>(null);
  /** Whether there is a nonce for downloads and thumbnails. */
  mayDownload = $state(false);
  /** Whether the profile and a nonce are loaded, which happens shortly after the login. */
  isReady = $derived(this.profile !== null && this.mayDownload);
  userId = $state('');
  rootKey = '';
  /** The change cursor from before the first listing: following changes from here misses none. */
  changesCursor: string | null = null;
  /** The session has ended without a logout. While the page is open it stays, and asks for the password. */
  hasExpired = $state(false);
  #waiting: (() => void)[] = [];
  #jwt = '';
  #nonceTimer: ReturnType<typeof setInterval> | undefined;
  #nonceAt = 0;

  async start(): Promise<void> {
    try {
      await this.#enter(await dataOf(GET('/x/v1/session')));
    } catch (problem) {
      if (problem instanceof ApiError && (problem.status === 401 || problem.status === 403)) {
        const wasIn = localStorage.getItem(ROOT_KEY) !== null;
        this.ended();
        this.hasExpired = wasIn;
      } else throw problem;
    }
  }

  /** Fails with ApiError SKY2005 if the account requires a code or a passkey as well and neither was given. */
  async login(emailId: string, password: string, second: SecondFactor = {}): Promise<void> {
    const body = { emailId, password, ...second, ...thisDevice() };
    const opened = await dataOf(POST('/x/v1/login', { body }));
    localStorage.setItem(LAST_EMAIL, emailId);
    await this.#resume(opened);
  }

  /** The last step of a login through a provider; fails as `login` does if a second factor is required. */
  async loginByProvider(second: SecondFactor = {}): Promise<void> {
    const body = { ...second, ...thisDevice() };
    await this.#resume(await dataOf(POST('/x/v1/login/provider', { body })));
  }

  async loginWithPasskey(passkey: Schemas['PasskeyAssertion']): Promise<void> {
    const opened = await dataOf(POST('/x/v1/login/passkey', { body: { passkey, ...thisDevice() } }));
    // The open page belongs to somebody else.
    if (this.state === 'in' && opened.userId !== this.userId) return location.reload();
    await this.#resume(opened);
  }

  async #resume(opened: Schemas['LoginAnswer']): Promise<void> {
    const wasOpen = this.state === 'in';
    await this.#enter(opened);
    if (wasOpen) await this.renewNonce().catch(() => {});
    this.hasExpired = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async logout(): Promise<void> {
    await PUT('/security/users/logout');
    localStorage.removeItem(LAST_EMAIL);
    this.ended();
  }

  /** The address of the last login on this browser, unless the user has logged out. */
  get lastEmail(): string {
    return localStorage.getItem(LAST_EMAIL) ?? '';
  }

  /** The server no longer knows the session. */
  expired(): void {
    // While the page starts, `start` sees the answer itself.
    if (this.state !== 'in') return;
    if (!this.profile) {
      this.ended();
      this.hasExpired = true;
      return;
    }
    this.hasExpired = true;
    clearInterval(this.#nonceTimer);
  }

  /** Resolves when the user has logged in again. */
  renewed(): Promise<void> {
    return this.hasExpired ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  ended(): void {
    this.hasExpired = false;
    forgetPages();
    clearInterval(this.#nonceTimer);
    localStorage.removeItem(ROOT_KEY);
    discardPrefetched();
    this.state = 'out';
    this.userId = '';
    this.profile = null;
    this.mayDownload = false;
    this.#jwt = '';
  }

  async reloadProfile(): Promise<void> {
    this.profile = await dataOf(GET('/security/users'));
  }

  /** The file list needs only this; the profile and nonce load in the background. */
  async #enter(opened: Schemas['LoginAnswer']): Promise<void> {
    this.userId = opened.userId;
    this.rootKey = opened.rootFolderKey;
    localStorage.setItem(ROOT_KEY, this.rootKey);
    this.#jwt = opened.jwt;
    await this.#markChanges();
    // The session may have ended in the meantime.
    if (this.#jwt !== opened.jwt) return;
    this.state = 'in';
    void this.#complete(opened.jwt);
    clearInterval(this.#nonceTimer);
    this.#nonceTimer = setInterval(() => void this.renewNonce().catch(() => {}), NONCE_INTERVAL_MS);
  }

  async #complete(jwt: string): Promise<void> {
    while (this.#jwt === jwt && !this.isReady) {
      try {
        await Promise.all([this.profile ?? this.reloadProfile(), this.mayDownload || this.renewNonce()]);
      } catch (problem) {
        if (this.#jwt !== jwt) return;
        if (!isTransient(problem)) return notices.showError(problem);
        await Promise.all([connection.restored(), delay(RETRY_DELAY_MS)]);
      }
    }
  }

  async #markChanges(): Promise<void> {
    this.changesCursor = await dataOf(GET('/x/v1/changes')).then(
      (page) => page.cursor,
      // Follow changes from the start of the stream instead.
      () => null,
    );
  }

  async renewNonce(): Promise<void> {
    try {
      await POST('/security/getokenforcookie', { body: { jwt: this.#jwt } });
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.code === JWT_REFUSED)) throw problem;
      // The server has replaced the key that signs these tokens; the session goes on.
      this.#jwt = (await dataOf(GET('/x/v1/session'))).jwt;
      await POST('/security/getokenforcookie', { body: { jwt: this.#jwt } });
    }
    this.#nonceAt = Date.now();
    this.mayDownload = true;
  }

  /** The nonce of a suspended page may have expired. */
  async wakeUp(): Promise<void> {
    if (this.state === 'in' && Date.now() - this.#nonceAt > NONCE_INTERVAL_MS) await this.renewNonce().catch(() => {});
  }
}

/** What may be given in addition to the password. */
export type SecondFactor = Pick<Schemas['LoginRequest'], 'code' | 'passkey'>;

function thisDevice(): { deviceName: string; platformType: string; inCookie: boolean } {
  return { deviceName: browserName(), platformType: 'Web', inCookie: true };
}

export const session = new Session();

onSessionEnd(() => session.expired());
globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void session.wakeUp();
});

/** The browser and the system, such as “Firefox on Linux”. */
export function browserName(): string {
  const agent = navigator.userAgent;
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => agent.includes(name)) ?? 'Browser';
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => agent.includes(name)) ?? '';
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  return [names[browser] ?? browser, system && `on ${system}`].filter(Boolean).join(' ');
}
