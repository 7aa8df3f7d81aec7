// Where in the drive the page is: /drive/<section>/<key>?<query>. Links are plain links; a click on one does not load.

import { forgetEarly } from '../api/early';

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
  'settings',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Place {
  section: Section;
  key: string | null;
  query: URLSearchParams;
}

const BASE = '/drive';

export function placeOf(url: URL): Place {
  const [, base, section, key] = url.pathname.split('/');
  const known = `/${base}` === BASE && SECTIONS.find((one) => one === section);
  return { section: known || 'files', key: known && key ? decodeURIComponent(key) : null, query: url.searchParams };
}

export function pathTo(section: Section, key?: string | null, query?: Record<string, string>): string {
  const path = key ? `${BASE}/${section}/${encodeURIComponent(key)}` : `${BASE}/${section}`;
  const search = query ? new URLSearchParams(query).toString() : '';
  return search ? `${path}?${search}` : path;
}

class Router {
  place = $state.raw<Place>(placeOf(new URL(location.href)));
  #href = location.href;

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#read();
  }

  #read(): void {
    forgetEarly();
    this.#href = location.href;
    this.place = placeOf(new URL(location.href));
  }

  start(): void {
    addEventListener('popstate', () => {
      // The same address again, as when something that covered the page was closed, is no other place.
      if (location.href !== this.#href) this.#read();
    });
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
      if (!link.pathname.startsWith(`${BASE}/`)) return;
      event.preventDefault();
      this.go(link.pathname + link.search);
    });
  }
}

export const router = new Router();
