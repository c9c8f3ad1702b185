// `tickwire verify --url` against a running service: every signal is judged again from the tape that the service serves, and
// its kept heads and their time stamps are checked.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KeptHeadPage } from '@tickwire/contract';
import { runHere } from '../../testing/command.fixture.ts';
import { eventually, runTickwire } from '../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { MIDNIGHT, writeRealLog } from '../../testing/signals/real-log.fixture.ts';
import { type FakeAuthority, startAuthority } from '../../testing/signals/timestamp-authority.fixture.ts';
import { evidencePath } from '../signals/verify/evidence-file.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { dayOf } from '../store/tape-day.ts';

const data = temporaryFolder();
const roots = join(data, 'roots.pem');
let authority: FakeAuthority;
let service: RunningService;
let settings: Record<string, string>;

beforeAll(async () => {
  authority = await startAuthority();
  writeFileSync(roots, authority.rootPem);
  await writeRealLog({ folder: data });
  // The numbers of the service continue after those of the log.
  const store = openSqliteStore({ folder: data, realm: 'sim', exclusive: true });
  await store.market.setNumber('seq_reserved', 10_000_000);
  await store.close();
  const stamping = { timestamp_urls: authority.url, timestamp_ca: roots };
  // The head is stamped at shutdown, too.
  await (await startService({ data, tape_days: '36500', house: 'none', ...stamping })).stop();
  service = await startService({ data, tape_days: '36500', house: 'none', ...stamping });
  const { key } = await service.key('premium', ['read']);
  settings = { api_key: key, timestamp_ca: roots };
  // The service seals the second day soon after its start.
  const second = new Date(MIDNIGHT).toISOString().slice(0, 10);
  for (const symbol of ['EURUSD', 'XAUUSD', 'BTCUSD'])
    await eventually(`the seal of ${symbol}`, async () => {
      const response = await fetch(`${service.url}/api/evidence/${second}/${symbol}`, {
        headers: { 'X-API-Key': key },
      });
      await response.arrayBuffer();
      return response.headers.get('evidence-source') === 'sealed';
    });
});
afterAll(async () => {
  await service.stop();
  await authority.stop();
  rmSync(data, { recursive: true, force: true });
});

const verify = (...args: string[]) => runHere(['verify', '--url', service.url, ...args], settings);
const downloads = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('tickwire-verify-'));

test('judges every closed signal again, from sealed days and the tape, and checks heads and time stamps', async () => {
  const before = downloads();
  const { status, out, err } = await verify();
  // A slow machine also reports its progress.
  expect([status, err.replace(/^\w+ +\d+% .* left\n/gm, '')]).toEqual([0, '']);
  expect(out).toMatch(/tape {7}(\d+) of \1 closed signals judged again from [\d,]+ ticks\n/);
  // The service has sealed the second day too.
  expect(out).toMatch(/seals {6}(\d+) days sealed: \1 intact, 0 missing\n/);
  expect(out).toContain('  heads      2 heads checked against the log\n');
  expect(out).toMatch(
    /stamps {5}1 time stamp of 1 head: each record up to \d+ existed at most [\w ]+ after its time\n/,
  );
  expect(out).toContain('  result     no faults found\n');
  expect(downloads()).toEqual(before);
  const local = await runTickwire(['verify', '--json'], { data, timestamp_ca: roots });
  expect(JSON.parse(local.out)).toMatchObject({ ok: true, heads_checked: 1, time_stamps: { valid: 1, heads: 1 } });
});

test('reports an authority that no trusted root vouches for', async () => {
  const { status, out } = await runHere(['verify', '--url', service.url], { api_key: settings.api_key! });
  expect(status).toBe(1);
  expect(out).toMatch(
    /the token of http.* is signed by a certificate that no trusted root has issued.* \(F41 time_stamp\)\n/,
  );
});

test('checks heads in a file with their time stamps, and finds a token of another head', async () => {
  const response = await fetch(`${service.url}/api/signals/heads`, { headers: { 'X-API-Key': settings.api_key! } });
  const { items } = (await response.json()) as KeptHeadPage;
  expect(items.map(({ tokens }) => tokens.length)).toEqual([1]);
  const heads = join(data, 'heads.jsonl');
  writeFileSync(heads, `${JSON.stringify(items[0])}\n`);
  const kept = await verify('--heads', heads, '--json');
  expect(JSON.parse(kept.out)).toMatchObject({ ok: true, heads_checked: 3, time_stamps: { valid: 1 } });
  const [token] = items[0]!.tokens;
  const other = Buffer.from(await authority.token(Buffer.from('another head'))).toString('base64');
  writeFileSync(heads, `${JSON.stringify({ ...items[0], tokens: [{ ...token, token: other }] })}\n`);
  const { status, out } = await verify('--heads', heads);
  expect([status, out.includes('is about something else (F41 time_stamp)')]).toEqual([1, true]);
});

test('finds a sealed day that was changed at the service, and judges from its tape instead', async () => {
  const path = evidencePath(join(data, 'sim'), dayOf(MIDNIGHT - 1), 'EURUSD');
  const packed = readFileSync(path);
  writeFileSync(path, gzipSync(gunzipSync(packed).toString().replace('"bid":1.', '"bid":2.')));
  const changed = await verify();
  writeFileSync(path, packed.subarray(0, packed.length >> 1));
  const cut = await verify();
  writeFileSync(path, packed);
  for (const { status, out } of [changed, cut]) {
    expect(status).toBe(1);
    expect(out).toContain('  result     1 FAULT\n');
    expect(out).toMatch(/\(F36 sealed_file\)\n/);
    expect(out).toMatch(/tape {7}(\d+) of \1 closed signals judged again/);
  }
});
