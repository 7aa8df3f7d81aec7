// Where a banner may lead, and what it may show: addresses come from the operator, and are not taken on trust.

/** An address of the web to go to, or null. */
export function actionOf(address: string | null | undefined): string | null {
  const url = parsed(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A picture from this server, or null: the page's policy loads nothing from elsewhere, so that nobody can count visits. */
export function pictureOf(address: string | null | undefined, origin: string): string | null {
  const url = parsed(address, origin);
  return url && url.origin === origin ? url.href : null;
}

function parsed(address: string | null | undefined, base?: string): URL | null {
  if (!address || !URL.canParse(address, base)) return null;
  return new URL(address, base);
}
