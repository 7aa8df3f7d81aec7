// Passkeys in the browser: creating one, and signing a challenge. The server's JSON is that of the standard; browsers
// read and write it themselves only in recent versions.
import type { Schemas } from '../api/client';
import { t } from '../words';

export type Assertion = Schemas['PasskeyAssertion'];
type Bytes = Uint8Array<ArrayBuffer>;

/** The user has cancelled, or nothing happened for too long. */
export class Cancelled extends Error {
  constructor(cause: unknown) {
    super(t('passkey.cancelled'), { cause });
    this.name = 'Cancelled';
  }
}

export function bytesOf(text: string): Bytes {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

export function textOf(data: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Create a passkey; the browser asks the user where to keep it. */
export async function createPasskey(options: Schemas['PasskeyCreation']): Promise<Schemas['PasskeyCredential']> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: options.rp,
    user: { ...options.user, id: bytesOf(options.user.id) },
    challenge: bytesOf(options.challenge),
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    timeout: options.timeout,
    excludeCredentials: options.excludeCredentials.map(descriptorOf),
    authenticatorSelection: options.authenticatorSelection as AuthenticatorSelectionCriteria,
    attestation: 'none',
    extensions: { credProps: true },
  };
  const made = (await asked(() => navigator.credentials.create({ publicKey }))) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  const rk = made.getClientExtensionResults().credProps?.rk;
  return {
    id: textOf(made.rawId),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: (response.getTransports?.() ?? []).slice(0, 10),
    },
    clientExtensionResults: { credProps: rk === undefined ? {} : { rk } },
  };
}

/** Sign a challenge. With `conditional`, the browser only offers passkeys where it fills in the email address. */
export async function signChallenge(
  options: Schemas['PasskeyChallenge'],
  { conditional = false, signal }: { conditional?: boolean; signal?: AbortSignal } = {},
): Promise<Assertion> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytesOf(options.challenge),
    timeout: options.timeout,
    rpId: options.rpId,
    allowCredentials: (options.allowCredentials ?? []).map(descriptorOf),
    userVerification: options.userVerification as UserVerificationRequirement,
  };
  const request: CredentialRequestOptions = {
    publicKey,
    ...(conditional && { mediation: 'conditional' as const }),
    ...(signal && { signal }),
  };
  const given = (await asked(() => navigator.credentials.get(request))) as PublicKeyCredential;
  const response = given.response as AuthenticatorAssertionResponse;
  return {
    id: textOf(given.rawId),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle && { userHandle: textOf(response.userHandle) }),
    },
  };
}

/** Whether the browser offers passkeys where it fills in the email address. */
export async function offersConditional(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) ?? false;
}

function descriptorOf(one: Schemas['PasskeyDescriptor']): PublicKeyCredentialDescriptor {
  return {
    type: 'public-key',
    id: bytesOf(one.id),
    ...(one.transports && { transports: one.transports as AuthenticatorTransport[] }),
  };
}

/** Ask the browser; its errors become sentences. */
async function asked(request: () => Promise<Credential | null>): Promise<Credential> {
  try {
    const given = await request();
    if (given) return given;
  } catch (problem) {
    throw sentenceFor(problem);
  }
  throw new Cancelled(null);
}

function sentenceFor(problem: unknown): unknown {
  if (!(problem instanceof DOMException)) return problem;
  switch (problem.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return new Cancelled(problem);
    case 'InvalidStateError':
      return new Error(t('passkey.known'), { cause: problem });
    case 'SecurityError':
      return new Error(t('passkey.address'), { cause: problem });
    case 'NotSupportedError':
    case 'ConstraintError':
      return new Error(t('passkey.unsupported'), { cause: problem });
    default:
      return new Error(t('passkey.failed', { reason: problem.message || problem.name }), { cause: problem });
  }
}
