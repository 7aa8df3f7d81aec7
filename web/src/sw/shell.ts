// The app shell: the page, scripts and styles of one build, cached so the client opens offline. API responses and user
// data are never cached.

const PREFIX = 'skyshelf-shell-';
// A page that was opened before an update still loads its own build's scripts.
const CACHED_BUILDS = 3;

export type Handler = 'page' | 'shell' | 'share' | null;

/** Which handler serves a request to a server at this place of its host; null leaves it to the network. */
export function handlerOf(method: string, mode: RequestMode, url: URL, origin: string, place = ''): Handler {
  if (url.origin !== origin || !`${url.pathname}/`.startsWith(`${place}/`)) return null;
  const path = url.pathname.slice(place.length);
  const isDrive = path === '' || path === '/' || path === '/drive' || path.startsWith('/drive/');
  if (method === 'POST') return path === '/drive/share-target' ? 'share' : null;
  if (method !== 'GET') return null;
  if (mode === 'navigate') return isDrive ? 'page' : null;
  return path.startsWith('/assets/') || path.startsWith('/icons/') ? 'shell' : null;
}

/** The caches to delete, given the names of all caches, oldest first. */
export function outdated(names: readonly string[], current: string): string[] {
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + current);
  return others.slice(0, Math.max(0, others.length - (CACHED_BUILDS - 1)));
}

export class Shell {
  #version: string;
  #place: string;

  constructor(version: string, place = '') {
    this.#version = version;
    this.#place = place;
  }

  async precache(files: readonly string[]): Promise<void> {
    const cache = await this.#cache();
    // Script names contain a hash of their content; the page and the icons are always reloaded.
    const requests = files.map(
      (file) => new Request(this.#place + file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }),
    );
    await cache.addAll([new Request(this.#page, { cache: 'reload' }), ...requests]);
  }

  async deleteOutdated(): Promise<void> {
    await Promise.all(outdated(await caches.keys(), this.#version).map((name) => caches.delete(name)));
  }

  /** The server's page, so updates show at once; the cached one if the server cannot be reached. */
  async page(load: () => Promise<Response>): Promise<Response> {
    try {
      const response = await load();
      if (response.status < 500) return response;
      return (await this.#cachedPage()) ?? response;
    } catch (problem) {
      const cached = await this.#cachedPage();
      if (cached) return cached;
      throw problem;
    }
  }

  async file(request: Request): Promise<Response> {
    const cache = await this.#cache();
    const cached = (await cache.match(request)) ?? (await caches.match(request));
    if (cached) return cached;
    const response = await fetch(request);
    // Files that are too large to precache are cached on first use.
    if (response.ok && request.url.includes('/assets/')) await cache.put(request, response.clone());
    return response;
  }

  async #cachedPage(): Promise<Response | undefined> {
    return (await this.#cache()).match(this.#page);
  }

  get #page(): string {
    return `${this.#place}/`;
  }

  #cache(): Promise<Cache> {
    return caches.open(PREFIX + this.#version);
  }
}
