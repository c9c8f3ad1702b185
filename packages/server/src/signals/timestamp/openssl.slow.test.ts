// Both directions against openssl, a second implementation: it answers our requests, and it checks the tokens of our fake.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { startOpensslAuthority } from '../../../testing/signals/openssl-authority.fixture.ts';
import { startAuthority } from '../../../testing/signals/timestamp-authority.fixture.ts';
import { reportSkipped } from '../../../testing/skipped.fixture.ts';
import { requestToken } from './request.ts';
import { TokenChecker } from './token.ts';
import { trustedRoots } from './trusted-roots.ts';

const missing = Bun.which('openssl') === null;
if (missing) reportSkipped('time stamps by another implementation', 'openssl is not installed');
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const CONTENT = new TextEncoder().encode('{"at":"2026-03-02T11:24:07.402Z"}');

describe.skipIf(missing)('openssl', () => {
  const KEYS = { rsa: ['rsa:2048'], ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'] };
  for (const [name, keys] of Object.entries(KEYS)) {
    test(`answers our request with a token that we accept (${name})`, async () => {
      const authority = await startOpensslAuthority(join(folder, name), keys);
      try {
        const { token, nonce } = await requestToken(authority.url, CONTENT, 30_000);
        const checked = await new TokenChecker(trustedRoots(authority.rootFile)).check(token, CONTENT);
        expect([checked.nonce, checked.accuracyMs]).toEqual([nonce, 1_000]);
        expect(Math.abs(checked.time - Date.now())).toBeLessThan(60_000);
        await expect(new TokenChecker(trustedRoots(null)).check(token, CONTENT)).rejects.toThrow('no trusted root');
      } finally {
        await authority.stop();
      }
    });
  }

  test('accepts the tokens of the fake authority, and rejects its wrong ones', async () => {
    const authority = await startAuthority();
    const [content, root, token] = ['content', 'root.pem', 'token'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(content, CONTENT);
    writeFileSync(root, authority.rootPem);
    const accepts = async (): Promise<boolean> => {
      writeFileSync(token, await authority.token(CONTENT));
      const args = ['ts', '-verify', '-token_in', '-in', token, '-data', content, '-CAfile', root];
      return (
        (await Bun.spawn(['openssl', ...args], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).exited) === 0
      );
    };
    expect(await accepts()).toBe(true);
    for (const misbehaviour of [
      'wrong_imprint',
      'wrong_certificate',
      'other_purpose',
      'unknown_root',
      'chain_too_long',
      'changed_time',
    ] as const) {
      authority.misbehaviour = misbehaviour;
      expect([misbehaviour, await accepts()]).toEqual([misbehaviour, false]);
    }
    await authority.stop();
  });
});
