// The page's policy takes addresses of scripts only from here: our own built files, and nothing that somebody typed.

interface Policy {
  createScriptURL(address: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy;
}

let policy: Policy | undefined;

function ownScript(address: string): string {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new TypeError(`Not a script of ours: ${address}`);
  return url.href;
}

/** The address of a worker of ours, in the form that the browser asks for. */
export function trustedScript(address: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return ownScript(address);
  policy ??= factory.createPolicy('skyshelf', { createScriptURL: ownScript });
  return policy.createScriptURL(address) as string;
}
