// Whether passkeys can be used here at all. Small, because the login page asks before it loads anything.

/** Browsers offer passkeys only over https and on localhost, and only where the address has a host name. */
export function hasPasskeys(host = globalThis.location?.hostname ?? ''): boolean {
  return 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(host);
}
