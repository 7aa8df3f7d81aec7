// Checks a banner's URLs, which the operator enters freely.

/** The link's URL, or null if it is not http(s). */
export function actionOf(address: string | null | undefined): string | null {
  const url = parsed(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** The picture's URL, or null if it is on another server, which the page's policy blocks. */
export function pictureOf(address: string | null | undefined, origin: string): string | null {
  const url = parsed(address, origin);
  return url && url.origin === origin ? url.href : null;
}

function parsed(address: string | null | undefined, base?: string): URL | null {
  if (!address || !URL.canParse(address, base)) return null;
  return new URL(address, base);
}
