// What a change of the account's security takes: the password, with a code where two-factor authentication is on, or a
// passkey alone.
import { GET, POST, dataOf, type Schemas } from '../api/client';
import { hasPasskeys } from '../passkeys/support';

type Request = Schemas['ConfirmationRequest'];

export class Proof {
  password = $state('');
  code = $state('');
  /** Whether a code is needed in addition to the password. */
  needsCode = $state(false);
  /** Whether a passkey of this host could be used instead. */
  canUsePasskey = $state(false);

  async load(): Promise<void> {
    const [factor, { passkeys }] = await Promise.all([
      dataOf(GET('/x/v1/account/second-factor')),
      dataOf(GET('/x/v1/account/passkeys')),
    ]);
    this.needsCode = factor.isOn;
    this.canUsePasskey = hasPasskeys() && passkeys.some((one) => one.host === location.hostname);
  }

  /** What was typed. */
  typed(): Request {
    return { password: this.password, ...(this.needsCode && { code: this.code }) };
  }

  /** A passkey instead, which must verify its user. */
  async signed(): Promise<Request> {
    return { passkey: await signedChallenge({ alone: true }) };
  }

  clear(): void {
    this.password = this.code = '';
  }
}

/** A passkey's signature that confirms one change in this session. */
export async function signedChallenge({ alone }: { alone: boolean }): Promise<Schemas['PasskeyAssertion']> {
  const challenge = await dataOf(POST('/x/v1/account/passkeys/challenge'));
  const { signChallenge } = await import('../passkeys/credentials');
  return signChallenge(alone ? { ...challenge, userVerification: 'required' } : challenge);
}
