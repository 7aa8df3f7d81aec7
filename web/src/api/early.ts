// Calls that are made before the rest of the script has come: who is logged in, and what is in the folder that the
// address names. This is a file of its own that the page loads beside the large one; on a slow line the answers are
// there when that one starts, and are taken by the first that asks for the same.
import { OTHER_LANGUAGES, wantedLanguage } from '../words/languages';
import { callHeaders } from './headers';

// What nobody asked for by then, or before the page went to another place, tells of the past.
const GOOD_FOR_MS = 60_000;
/** How many objects of a folder come at once. */
export const FIRST_PAGE = 2000;
/** Where the key of the uppermost folder is kept, so that it can be asked for before it is known who is there. */
export const ROOT_KEY = 'skyshelf.root';

const asked = new Map<string, { at: number; answer: Promise<Response> }>();

function ask(address: string): Promise<Response> {
  const answer = fetch(address, { headers: callHeaders() });
  // Who takes it hears what went wrong; where nobody does, nobody has to.
  answer.catch(() => {});
  asked.set(new URL(address, location.href).href, { at: performance.now(), answer });
  return answer;
}

/** The answer to a call that was made early; each is given once. */
export function earlyAnswer(request: Request): Promise<Response> | undefined {
  const found = request.method === 'GET' ? asked.get(request.url) : undefined;
  if (!found) return undefined;
  asked.delete(request.url);
  return performance.now() - found.at < GOOD_FOR_MS ? found.answer : undefined;
}

/** The page goes to another place than the one that it was opened at. */
export function forgetEarly(): void {
  asked.clear();
}

/** The folder that an address of the drive shows; '' is the uppermost one, null: the address shows something else. */
export function folderShownAt(path: string): string | null {
  const [, base, section = '', key = ''] = path.split('/');
  if (!base) return '';
  return base === 'drive' && (section === '' || section === 'files') ? key : null;
}

async function begin(): Promise<void> {
  void OTHER_LANGUAGES[wantedLanguage()]?.();
  const folder = folderShownAt(location.pathname);
  const root = localStorage.getItem(ROOT_KEY);
  const asking = ask('/x/v1/session');
  // Who was here before is most likely here now: then there is nothing to wait for.
  if (!root && !(await asking).ok) return;
  // Where the changes stand comes before what is there: so nothing is missed in between.
  if (!(await ask('/x/v1/changes')).ok || folder === null) return;
  askForFolder(folder || root || ((await (await asking).clone().json()) as { rootFolderKey: string }).rootFolderKey);
}

/** As files/folder.svelte.ts asks. */
function askForFolder(key: string): void {
  void ask(`/nms/metadata?folderKey=${key}&limit=${FIRST_PAGE}&page=0&sort=%2BobjectName`);
  void ask(`/x/v1/objects/${key}`);
}

if (typeof document !== 'undefined') begin().catch(() => {});
