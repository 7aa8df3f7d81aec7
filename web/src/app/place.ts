// Where the server is on its host: '' or the path of its public URL, such as '/skyshelf'. The page says so: the server
// writes the path into it.
function placeOfPage(): string {
  if (typeof document === 'undefined') return '';
  return document.querySelector<HTMLMetaElement>('meta[name="skyshelf-path"]')?.content ?? '';
}

export const PLACE = placeOfPage();

/** The path of an address of this server, as the browser needs it. */
export function at(path: string): string {
  return PLACE + path;
}

/** The path of an address of this server, as the server names it. */
export function withoutPlace(path: string, place = PLACE): string {
  if (!place || (path !== place && !path.startsWith(`${place}/`))) return path;
  return path.slice(place.length) || '/';
}

/** The server's address, as other programs need it. */
export function serverAddress(): string {
  return location.origin + PLACE;
}
