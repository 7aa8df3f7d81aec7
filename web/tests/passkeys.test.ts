import { afterEach, describe, expect, it, vi } from 'vitest';
import { Cancelled, bytesOf, createPasskey, signChallenge, textOf } from '../src/passkeys/credentials';
import { hasPasskeys } from '../src/passkeys/support';
import { en } from '../src/words/en';

const challenge = { challenge: 'AQID', timeout: 1000, rpId: 'localhost', userVerification: 'required' };

afterEach(() => vi.unstubAllGlobals());

function refusing(name: string): void {
  const refuse = (): Promise<never> => Promise.reject(new DOMException('no', name));
  vi.stubGlobal('navigator', { credentials: { get: refuse, create: refuse } });
}

describe('passkeys', () => {
  it('carry bytes in base64url without padding', () => {
    for (const bytes of [[], [0], [255, 254, 253], [251, 239, 190, 255]]) {
      const text = textOf(Uint8Array.from(bytes).buffer);
      expect(text).toMatch(/^[\w-]*$/);
      expect([...bytesOf(text)]).toEqual(bytes);
    }
  });

  it('say what a browser refuses', async () => {
    refusing('NotAllowedError');
    await expect(signChallenge(challenge)).rejects.toBeInstanceOf(Cancelled);
    await expect(signChallenge(challenge)).rejects.toThrow(en['passkey.cancelled']);
    refusing('InvalidStateError');
    const options = {
      ...challenge,
      rp: { id: 'localhost', name: 'Skyshelf' },
      user: { id: 'AQID', name: 'a', displayName: 'A' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    };
    await expect(createPasskey(options)).rejects.toThrow(en['passkey.known']);
    refusing('SecurityError');
    await expect(signChallenge(challenge)).rejects.toThrow(en['passkey.address']);
    refusing('UnknownError');
    await expect(signChallenge(challenge)).rejects.toThrow('no');
  });

  it('need a host name', () => {
    vi.stubGlobal('PublicKeyCredential', class {});
    expect(['drive.example.org', 'localhost', 'nas'].map((host) => hasPasskeys(host))).toEqual([true, true, true]);
    expect(['192.168.1.5', '[::1]', '2001:db8::1'].map((host) => hasPasskeys(host))).toEqual([false, false, false]);
    vi.unstubAllGlobals();
    expect(hasPasskeys('drive.example.org')).toBe(false);
  });
});
