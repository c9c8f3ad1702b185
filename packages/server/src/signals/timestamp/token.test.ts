import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  type FakeAuthority,
  type Misbehaviour,
  startAuthority,
} from '../../../testing/signals/timestamp-authority.fixture.ts';
import { requestToken } from './request.ts';
import { TokenChecker, TokenError } from './token.ts';

const CONTENT = new TextEncoder().encode('{"at":"2026-03-02T11:24:07.402Z"}');
let authority: FakeAuthority;
let checker: TokenChecker;

beforeAll(async () => {
  authority = await startAuthority();
  checker = new TokenChecker([authority.rootPem]);
});
afterAll(() => authority.stop());
beforeEach(() => {
  authority.misbehaviour = null;
  authority.now = Date.now;
});

describe('a token', () => {
  test('is accepted with the time, accuracy and nonce that the authority signed', async () => {
    authority.now = () => Date.UTC(2026, 2, 2, 11, 24, 8);
    const { token, nonce } = await requestToken(authority.url, CONTENT);
    expect(await checker.check(token, CONTENT)).toEqual({ time: authority.now(), accuracyMs: 1_000, nonce });
  });

  const REJECTED: [Misbehaviour, RegExp][] = [
    ['wrong_imprint', /is about something else/],
    ['wrong_certificate', /does not name the certificate/],
    ['expired_certificate', /no trusted root has issued for that time/],
    ['other_purpose', /is not for time stamps/],
    ['unknown_root', /no trusted root has issued/],
    ['chain_too_long', /more authorities than a certificate of its chain allows/],
    ['changed_time', /has no valid signature/],
  ];
  for (const [misbehaviour, says] of REJECTED) {
    test(`is rejected: ${misbehaviour}`, async () => {
      authority.misbehaviour = misbehaviour;
      const token = await authority.token(CONTENT);
      await expect(checker.check(token, CONTENT)).rejects.toThrow(says);
      await expect(checker.check(token, CONTENT)).rejects.toBeInstanceOf(TokenError);
    });
  }

  test('is rejected for other content, and if any byte of it was changed', async () => {
    const token = await authority.token(CONTENT);
    expect((await checker.check(token, CONTENT)).nonce).toBeNull();
    await expect(checker.check(token, new TextEncoder().encode('other'))).rejects.toThrow('is about something else');
    let accepted = 0;
    // The root at the end is not part of what is signed.
    for (let at = 0; at < token.length; at += 7) {
      const changed = token.with(at, token[at]! ^ 0x55);
      const result = await checker.check(changed, CONTENT).catch((error: Error) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(TokenError);
      else {
        accepted++;
        // Certificates beside that of the signer are not needed: the trusted roots are known.
        expect(result.time).toBe((await checker.check(token, CONTENT)).time);
      }
    }
    expect(accepted).toBeLessThan(token.length / 7 / 2);
  });

  test('is rejected if it is random, cut off or too long', async () => {
    const token = await authority.token(CONTENT);
    for (const bad of [new Uint8Array(), new Uint8Array(200).fill(0x30), token.slice(0, 300), new Uint8Array(70_000)])
      await expect(checker.check(bad, CONTENT)).rejects.toBeInstanceOf(TokenError);
  });
});

describe('a request', () => {
  const REJECTED: [Misbehaviour, RegExp][] = [
    ['status_500', /responded with status 500/],
    ['redirect', /responded with status 307/],
    ['refused', /refused the request with status 2/],
    ['garbage', /not a time-stamp response/],
    ['empty', /not a time-stamp response/],
    ['huge', /more than \d+ bytes/],
    ['silent', /not complete within 200 ms/],
  ];
  for (const [misbehaviour, says] of REJECTED) {
    test(`fails: ${misbehaviour}`, async () => {
      authority.misbehaviour = misbehaviour;
      const timeoutMs = misbehaviour === 'silent' ? 200 : 30_000;
      await expect(requestToken(authority.url, CONTENT, timeoutMs)).rejects.toThrow(says);
    });
  }

  test('has another nonce each time', async () => {
    const nonces = new Set<bigint>();
    for (let count = 0; count < 5; count++) nonces.add((await requestToken(authority.url, CONTENT)).nonce);
    expect(nonces.size).toBe(5);
    for (const nonce of nonces) expect(nonce).toBeGreaterThan(2n ** 61n);
  });
});
