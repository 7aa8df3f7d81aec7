// The page's policy takes addresses of scripts only from here: our own built files, and nothing that somebody typed.

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
  if (url.origin !== location.origin) throw new TypeError(`Not a script of ours: ${address}`);
  return url.href;
}

function thePolicy(): TrustedTypePolicy | undefined {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  return (policy ??= factory?.createPolicy('skyshelf', {
    createScriptURL: ownScript,
    // Only what makes markup harmless gets at this, to have it parsed: see markupPolicy.
    createHTML: (markup) => markup,
  }));
}

/** The address of a worker of ours, in the form that the browser asks for. */
export function trustedScript(address: string): string {
  return (thePolicy()?.createScriptURL(address) as string | undefined) ?? ownScript(address);
}

/** For preview/purify.ts alone, which parses markup to take everything out of it that could act. */
export function markupPolicy(): TrustedTypePolicy | undefined {
  return thePolicy();
}
