// The Trusted Types policy: script URLs must be this server's own.

interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string; createHTML: (markup: string) => string },
  ): TrustedTypePolicy;
}
type TrustedTypePolicy = NonNullable<import('dompurify').Config['TRUSTED_TYPES_POLICY']>;

let policy: TrustedTypePolicy | undefined;

function ownScript(address: string): string {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new TypeError(`Not a script from this server: ${address}`);
  return url.href;
}

function getPolicy(): TrustedTypePolicy | undefined {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  return (policy ??= factory?.createPolicy('skyshelf', {
    createScriptURL: ownScript,
    // Only the sanitiser uses this, to parse markup: see markupPolicy.
    createHTML: (markup) => markup,
  }));
}

/** A worker's URL as the TrustedScriptURL that the browser requires. */
export function trustedScript(address: string): string {
  return (getPolicy()?.createScriptURL(address) as string | undefined) ?? ownScript(address);
}

/** Only for preview/purify.ts, which parses markup to sanitise it. */
export function markupPolicy(): TrustedTypePolicy | undefined {
  return getPolicy();
}
