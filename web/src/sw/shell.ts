// The shell of the drive: the page and the scripts and styles of one build, kept so that the drive opens without a
// connection. Nothing else is ever kept: no answer of a call, and nothing that belongs to a person.

const PREFIX = 'skyshelf-shell-';
const PAGE = '/';
// A page that was opened before an update still asks for the scripts of its own build.
const KEPT_BUILDS = 3;

export type Way = 'page' | 'shell' | 'share' | null;

/** How a request is met; null: as if there were no service worker. */
export function wayOf(method: string, mode: RequestMode, url: URL, origin: string): Way {
  if (url.origin !== origin) return null;
  const isDrive = url.pathname === PAGE || url.pathname === '/drive' || url.pathname.startsWith('/drive/');
  if (method === 'POST') return url.pathname === '/drive/share-target' ? 'share' : null;
  if (method !== 'GET') return null;
  if (mode === 'navigate') return isDrive ? 'page' : null;
  return url.pathname.startsWith('/assets/') || url.pathname.startsWith('/icons/') ? 'shell' : null;
}

/** The builds to let go of, given the names of all caches in the order in which they were made. */
export function outdated(names: readonly string[], current: string): string[] {
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + current);
  return others.slice(0, Math.max(0, others.length - (KEPT_BUILDS - 1)));
}

export class Shell {
  #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  async keep(files: readonly string[]): Promise<void> {
    const cache = await this.#cache();
    // Names of scripts change with what is in them; the page and the icons are asked for anew.
    const requests = files.map(
      (file) => new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }),
    );
    await cache.addAll([new Request(PAGE, { cache: 'reload' }), ...requests]);
  }

  async forgetOld(): Promise<void> {
    await Promise.all(outdated(await caches.keys(), this.#version).map((name) => caches.delete(name)));
  }

  /** The page from the server, so that an update is seen at once; the kept one where no server answers. */
  async page(asked: () => Promise<Response>): Promise<Response> {
    try {
      const response = await asked();
      if (response.status < 500) return response;
      return (await this.#keptPage()) ?? response;
    } catch (problem) {
      const kept = await this.#keptPage();
      if (kept) return kept;
      throw problem;
    }
  }

  async file(request: Request): Promise<Response> {
    const cache = await this.#cache();
    const kept = (await cache.match(request)) ?? (await caches.match(request));
    if (kept) return kept;
    const response = await fetch(request);
    // What is too large to be fetched ahead is kept from its first use on.
    if (response.ok && request.url.includes('/assets/')) await cache.put(request, response.clone());
    return response;
  }

  async #keptPage(): Promise<Response | undefined> {
    return (await this.#cache()).match(PAGE);
  }

  #cache(): Promise<Cache> {
    return caches.open(PREFIX + this.#version);
  }
}
