// Requests sent before the main script has loaded: the session and the listing of the folder in the URL. The page loads
// this small script first; on a slow connection the responses have arrived when the main script asks for them.
import { at, withoutPlace } from '../app/place';
import { applyTheme } from '../app/theme';
import { OTHER_LANGUAGES, wantedLanguage } from '../words/languages';
import { requestHeaders } from './headers';

// Responses older than this are out of date.
const MAX_AGE_MS = 60_000;
/** The page size of a folder listing. */
export const FIRST_PAGE = 2000;
/** How many pinned folders the start of the drive shows. */
export const PINNED = 20;
/** The local storage key of the root folder's key, which can then be requested before the session has loaded. */
export const ROOT_KEY = 'skyshelf.root';

const prefetched = new Map<string, { at: number; response: Promise<Response> }>();

function prefetch(path: string): Promise<Response> {
  const url = at(path);
  const response = fetch(url, { headers: requestHeaders() });
  // The error reaches the code that takes the response; without one it is ignored.
  response.catch(() => {});
  prefetched.set(new URL(url, location.href).href, { at: performance.now(), response });
  return response;
}

/** The prefetched response to a request; each is returned once. */
export function takePrefetched(request: Request): Promise<Response> | undefined {
  const found = request.method === 'GET' ? prefetched.get(request.url) : undefined;
  if (!found) return undefined;
  prefetched.delete(request.url);
  return performance.now() - found.at < MAX_AGE_MS ? found.response : undefined;
}

/** Called when the page navigates away from the URL it was opened at, and when the session has ended. */
export function discardPrefetched(): void {
  prefetched.clear();
}

/** The key of the folder that a path shows: '' for the root folder, null for other pages. */
export function folderInPath(path: string): string | null {
  const [, base, section = '', key = ''] = path.split('/');
  if (!base) return '';
  return base === 'drive' && (section === '' || section === 'files') ? key : null;
}

async function start(): Promise<void> {
  OTHER_LANGUAGES[wantedLanguage()]?.().catch(() => {});
  const folder = folderInPath(withoutPlace(location.pathname));
  const root = localStorage.getItem(ROOT_KEY);
  const session = prefetch('/x/v1/session');
  // With a known root folder the user is most likely still logged in: do not wait for the session.
  if (!root && !(await session).ok) return;
  // The change cursor comes before the listing, so no change between the two is missed.
  if (!(await prefetch('/x/v1/changes')).ok || folder === null) return;
  prefetchFolder(folder || root || ((await (await session).clone().json()) as { rootFolderKey: string }).rootFolderKey);
}

/** Sends the requests of files/folder.svelte.ts. */
function prefetchFolder(key: string): void {
  void prefetch(`/nms/metadata?folderKey=${key}&limit=${FIRST_PAGE}&page=0&sort=%2BobjectName`);
  void prefetch(`/x/v1/objects/${key}`);
}

/** What the start of the drive shows above its list: the same requests as in files/Home.svelte. The main script sends
    them when it starts; any sooner, they would take from its own loading. */
export function prefetchHome(): void {
  if (folderInPath(withoutPlace(location.pathname)) !== '' || !localStorage.getItem(ROOT_KEY)) return;
  void prefetch('/nms/metadata/recent/objects');
  void prefetch(`/x/v1/search?kind=folder&isFavorite=true&limit=${PINNED}`);
}

if (typeof document !== 'undefined') {
  applyTheme();
  start().catch(() => {});
}
