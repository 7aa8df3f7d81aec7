// Where the server is on its host: '' or the path of its public URL, such as '/skyshelf'. The address of a built script
// says so, and it is known before the page has been read.

/** The place of the server that a script at this address comes from. */
export function placeOf(script: string): string {
  return /^(.*)\/(?:assets\/[^/]+|sw\.js)$/.exec(new URL(script).pathname)?.[1] ?? '';
}

export const PLACE = placeOf(import.meta.url);

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
