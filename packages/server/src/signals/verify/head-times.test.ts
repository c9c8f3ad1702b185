// The order in time of heads and records, and the time stamps that prove it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogHead } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { MIDNIGHT, writeRealLog } from '../../../testing/signals/real-log.fixture.ts';
import { codesOf, LogFile } from '../../../testing/signals/tampering.fixture.ts';
import { startAuthority } from '../../../testing/signals/timestamp-authority.fixture.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { signedBytes, signHead } from '../head.ts';
import { openLogKey } from '../log-key.ts';
import type { HeadToCheck } from './check-heads.ts';
import { localLog } from './log-source.ts';
import { type VerifyResult, verifyLog } from './verify.ts';

const original = temporaryFolder();
let head: LogHead;

beforeAll(async () => {
  head = (await writeRealLog({ folder: original })).head();
});
afterAll(() => rmSync(original, { recursive: true, force: true }));

async function verified(heads: readonly HeadToCheck[], timestampCa: string | null = null): Promise<VerifyResult> {
  const store = openSqliteStore({ folder: original, realm: 'sim', exclusive: false });
  const source = await localLog(store.signals);
  const result = await verifyLog({ source, heads, timestampCa, tape: null, now: MIDNIGHT + HOUR_MS });
  await store.close();
  return result;
}

const key = () => openLogKey(join(original, 'sim', 'log-key.pem'));
const lineAt = (n: number): { readonly hash: string; readonly at: number } => {
  const file = new LogFile(original);
  const { hash, text } = file.lines()[n]!;
  file.close();
  return { hash, at: Date.parse((JSON.parse(text) as { at: string }).at) };
};
const headOf = (n: number, at: number): HeadToCheck => ({
  from: 'heads.jsonl:1',
  head: signHead(key(), head.log, { n, hash: lineAt(n).hash }, at),
});
const middle = (): number => head.n >> 1;

test('the times of heads may equal those of the records before and after', async () => {
  const n = middle();
  const heads = [headOf(n, lineAt(n).at), headOf(n, lineAt(n + 1).at), headOf(head.n, MIDNIGHT + HOUR_MS)];
  expect((await verified(heads)).findings.first).toEqual([]);
});

test('the times of heads reveal records that are older than a head before them', async () => {
  const n = middle();
  const { findings } = await verified([headOf(n, lineAt(n + 1).at + 1)]);
  expect(findings.first.map((finding) => finding.code)).toContain('time_order');
  expect(findings.first[0]).toMatchObject({ n: n + 1, code: 'time_order' });
  expect(findings.first[0]!.message).toContain('before the head of a record before it');
});

test('the times of heads reveal a head that is older than its record', async () => {
  const n = middle();
  const { findings } = await verified([headOf(n, lineAt(n).at - 1)]);
  expect(findings.first.map((finding) => [finding.n, finding.code])).toEqual([[n, 'head_time']]);
});

test('the times of heads are proved by authorities: a token must not be from before the record', async () => {
  const authority = await startAuthority();
  const roots = join(original, 'roots.pem');
  writeFileSync(roots, authority.rootPem);
  const stamped = async (n: number, at: number, tokenAt: number): Promise<HeadToCheck> => {
    const { from, head: signed } = headOf(n, at);
    authority.now = () => tokenAt;
    const token = Buffer.from(await authority.token(signedBytes(signed))).toString('base64');
    const time = new Date(tokenAt).toISOString();
    return { from, head: { ...signed, tokens: [{ authority: authority.url, time, token }] } };
  };
  const n = middle();
  const { at } = lineAt(n);
  const last = lineAt(head.n).at;
  const heads = [await stamped(n, at, at + 2_000), await stamped(head.n, last, last + HOUR_MS)];
  const good = await verified(heads, roots);
  expect([good.findings.first, good.stamps]).toEqual([
    [],
    { tokens: 2, heads: 2, until: head.n, longestMs: last + HOUR_MS - lineAt(n + 1).at },
  ]);
  const early = await verified([await stamped(n, at, at - HOUR_MS)], roots);
  expect(early.findings.first.map((finding) => [finding.n, finding.code])).toEqual([[n, 'time_stamp']]);
  expect(early.findings.first[0]!.message).toContain('before the record');
  authority.misbehaviour = 'unknown_root';
  const unknown = await verified([await stamped(n, at, at)], roots);
  expect([codesOf(unknown.findings.first), unknown.stamps!.tokens]).toEqual([['time_stamp'], 0]);
  await authority.stop();
});
