// The page's route: /drive/<section>/<key>?<query>. Clicks on plain links are handled without a page load.

import { discardPrefetched } from '../api/prefetch';
import { layers } from './layers';
import { at, withoutPlace } from './place';
import { fade } from './transition';

export const SECTIONS = [
  'files',
  'photos',
  'boards',
  'shared',
  'trash',
  'recent',
  'favourites',
  'search',
  'contacts',
  'storage',
  'history',
  'settings',
  'admin',
  'welcome',
  'edit',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Route {
  section: Section;
  key: string | null;
  query: URLSearchParams;
}

const BASE = at('/drive');

export function routeOf(url: URL): Route {
  const [, base, section, key] = withoutPlace(url.pathname).split('/');
  const found = base === 'drive' && SECTIONS.find((known) => known === section);
  return { section: found || 'files', key: found && key ? decodeURIComponent(key) : null, query: url.searchParams };
}

export function pathTo(section: Section, key?: string | null, query?: Record<string, string>): string {
  const path = key ? `${BASE}/${section}/${encodeURIComponent(key)}` : `${BASE}/${section}`;
  const search = query ? new URLSearchParams(query).toString() : '';
  return search ? `${path}?${search}` : path;
}

class Router {
  route = $state.raw<Route>(routeOf(new URL(location.href)));
  #href = location.href;

  go(path: string, { replace = false, fades = false } = {}): void {
    const read = (): void => this.#read();
    if (!replace) return layers.push(null, path, () => (fades ? fade(read) : read()));
    history.replaceState(null, '', path);
    this.#read();
  }

  #read(): void {
    discardPrefetched();
    this.#href = location.href;
    this.route = routeOf(new URL(location.href));
  }

  start(): void {
    layers.start();
    addEventListener('popstate', () => {
      // The URL is unchanged when the viewer, which adds a history entry, closes.
      if (location.href !== this.#href) this.#read();
    });
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
      if (!link.pathname.startsWith(`${BASE}/`)) return;
      event.preventDefault();
      this.go(link.pathname + link.search, { fades: true });
    });
  }
}

export const router = new Router();
