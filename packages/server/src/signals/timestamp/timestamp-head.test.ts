import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogHead } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { eventually } from '../../../testing/process.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import {
  type FakeAuthority,
  type Misbehaviour,
  startAuthority,
} from '../../../testing/signals/timestamp-authority.fixture.ts';
import { createLog } from '../../ops/log.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { signHead } from '../head.ts';
import { headDestinations } from '../head-destinations.ts';
import { HeadWriter } from '../head-writer.ts';
import { openLogKey } from '../log-key.ts';
import { timestampHead } from './timestamp-head.ts';
import { TokenChecker } from './token.ts';
import { trustedRoots } from './trusted-roots.ts';

let folder: string;
let store: Store;
let authority: FakeAuthority;
let checker: TokenChecker;
let key: ReturnType<typeof openLogKey>;

beforeAll(async () => {
  authority = await startAuthority();
  checker = new TokenChecker([authority.rootPem]);
});
afterAll(() => authority.stop());
beforeEach(() => {
  authority.misbehaviour = null;
  authority.now = Date.now;
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  key = openLogKey(join(folder, 'key.pem'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const headAt = (n: number, at = Date.now()): LogHead =>
  signHead(key, 'log_1', { n, hash: n.toString(16).padStart(64, '0') }, at);
const stamp = (head: LogHead, timeoutMs = 10_000): Promise<void> =>
  timestampHead(head, { url: `${authority.url}?secret=1`, store: store.heads, checker, timeoutMs });

test('keeps the head with the token, asks once per head, and stamps the head that is kept', async () => {
  const first = headAt(3, Date.now() - 1_000);
  await stamp(first);
  const asked = authority.requests;
  // Signed again after a restart.
  await stamp(headAt(3));
  expect(authority.requests).toBe(asked);
  const [kept] = await store.heads.list(-1, 10);
  expect(kept).toMatchObject({ n: 3, hash: first.hash, at: Date.parse(first.at), signature: first.signature });
  expect(kept!.tokens.map((token) => token.authority)).toEqual([authority.url]);
  expect(Math.abs(kept!.tokens[0]!.at - Date.now())).toBeLessThan(60_000);
});

describe('keeps the head, but not the token, of an authority', () => {
  const FAILURES: [Misbehaviour, RegExp][] = [
    ['wrong_imprint', /its token is about something else/],
    ['wrong_nonce', /its token is for another request/],
    ['expired_certificate', /no trusted root has issued for that time/],
    ['unknown_root', /no trusted root/],
    ['garbage', /not a time-stamp response/],
    ['status_500', /status 500/],
    ['huge', /more than \d+ bytes/],
    ['silent', /not complete within \d+ ms/],
  ];
  for (const [misbehaviour, says] of FAILURES) {
    test(`with ${misbehaviour}`, async () => {
      authority.misbehaviour = misbehaviour;
      await expect(stamp(headAt(1), misbehaviour === 'silent' ? 300 : undefined)).rejects.toThrow(says);
      expect((await store.heads.list(-1, 10)).map(({ n, tokens }) => [n, tokens.length])).toEqual([[1, 0]]);
    });
  }

  test('with a clock an hour behind', async () => {
    authority.now = () => Date.now() - HOUR_MS;
    await expect(stamp(headAt(1))).rejects.toThrow('before the head');
  });
});

test('an authority that fails loses no head, is counted, reported once, and retried', async () => {
  const logged: string[] = [];
  const ca = join(folder, 'roots.pem');
  writeFileSync(ca, authority.rootPem);
  const none = { head_file: null, head_webhook: null, head_telegram: null, head_telegram_url: '' };
  const settings = { ...none, timestamp_urls: [authority.url], timestamp_ca: ca };
  let n = 1;
  const heads = new HeadWriter({
    head: () => headAt(n),
    destinations: await headDestinations(settings, store.heads),
    everyMs: HOUR_MS,
    retryMs: 5,
    log: createLog({ level: 'info', plain: false, write: (line) => logged.push(line) }),
  });
  authority.misbehaviour = 'status_500';
  for (; n <= 3; n++) await heads.write();
  n = 3;
  expect((await store.heads.list(-1, 10)).map((head) => head.n)).toEqual([1, 2, 3]);
  const [kept, stamped] = heads.deliveries;
  expect([kept!.delivered, stamped!.delivered, stamped!.failures >= 3]).toEqual([3, 0, true]);
  authority.misbehaviour = null;
  await eventually('the newest head is stamped', () => stamped!.delivered > 0);
  expect((await store.heads.list(-1, 10)).map(({ tokens }) => tokens.length)).toEqual([0, 0, 1]);
  expect(logged.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'info']);
  await heads.stop();
});

test('trusted roots are those of the file, or the public ones', () => {
  const file = join(folder, 'roots.pem');
  writeFileSync(file, `# ours\n${authority.rootPem}\n${authority.rootPem}`);
  expect(trustedRoots(file)).toHaveLength(2);
  expect(trustedRoots(null).length).toBeGreaterThan(50);
  writeFileSync(file, 'nothing');
  expect(() => trustedRoots(file)).toThrow('contains no certificate');
  expect(() => trustedRoots(join(folder, 'missing.pem'))).toThrow('TICKWIRE_TIMESTAMP_CA');
});
