// Pages that the server has sent before, with their ETags: when nothing has changed, it answers 304 and sends nothing.
// They are kept only in memory and forgotten when the session ends, so no file names reach the disk.

const PAGES_MAX = 40;
const CHARACTERS_MAX = 4_000_000;

type Page = { etag: string; text: string; type: string };

const pages = new Map<string, Page>();
let characters = 0;

/** Name the known page in the request. */
export function nameKnownPage(request: Request): void {
  const known = request.method === 'GET' ? pages.get(request.url) : undefined;
  if (known) request.headers.set('If-None-Match', known.etag);
}

/** The response with its page: the known one if the server has said that it is the newest. */
export async function withPage(request: Request, response: Response): Promise<Response> {
  const known = pages.get(request.url);
  if (response.status === 304 && known) {
    remember(request.url, known);
    return new Response(known.text, { status: 200, headers: { 'Content-Type': known.type } });
  }
  const etag = response.headers.get('ETag');
  const type = response.headers.get('Content-Type') ?? '';
  if (request.method !== 'GET' || response.status !== 200 || !etag || !type.startsWith('application/json')) {
    return response;
  }
  const text = await response.text();
  remember(request.url, { etag, text, type });
  return new Response(text, { status: 200, headers: response.headers });
}

/** Forget all of them: somebody else may log in next. */
export function forgetPages(): void {
  pages.clear();
  characters = 0;
}

function remember(url: string, page: Page): void {
  forget(url);
  if (page.text.length > CHARACTERS_MAX / 2) return;
  pages.set(url, page);
  characters += page.text.length;
  while (pages.size > PAGES_MAX || characters > CHARACTERS_MAX) forget(pages.keys().next().value as string);
}

function forget(url: string): void {
  characters -= pages.get(url)?.text.length ?? 0;
  pages.delete(url);
}
