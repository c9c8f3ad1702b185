// The tape of a day over a real socket: the sealed file byte for byte, and the tape of a day that is not sealed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { EvidenceLine, type TapeSeal } from '@tickwire/contract';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { MIDNIGHT, writeRealLog } from '../../testing/signals/real-log.fixture.ts';
import { BodyStream } from '../http/streamed-response.ts';
import { gunzipChunks, gzipChunks } from '../ops/gzip-stream.ts';
import { dayOf } from '../store/tape-day.ts';
import { evidencePath } from './verify/evidence-file.ts';

const SEALED = dayOf(MIDNIGHT - 1);
const OPEN = dayOf(MIDNIGHT);
const folder = temporaryFolder();
let service: RunningService;
let key: string;
let file: string;

beforeAll(async () => {
  await writeRealLog({ folder });
  file = evidencePath(`${folder}/sim`, SEALED, 'EURUSD');
  service = await startService({ data: folder, tape_days: '36500', house: 'none' });
  key = (await service.key('premium', ['read'])).key;
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(service.url + path, { method, headers: { 'X-API-Key': key, ...headers }, decompress: false });
const linesOf = (bytes: Uint8Array): EvidenceLine[] =>
  new TextDecoder()
    .decode(bytes)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceLine);

describe('a sealed day', () => {
  const path = `/api/evidence/${SEALED}/EURUSD`;
  const seal = async (): Promise<TapeSeal> => {
    const [record] = await service.app.store.signals.seals('EURUSD', SEALED, SEALED);
    return JSON.parse(record!.text) as TapeSeal;
  };

  test('is the sealed file byte for byte, and its hash is that in the log', async () => {
    const response = await get(path, { 'Accept-Encoding': 'gzip' });
    const body = await response.bytes();
    const { sha256, ticks } = await seal();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'cache-control': 'private, max-age=31536000, immutable',
      'evidence-source': 'sealed',
      'evidence-sha256': sha256,
      etag: `"${sha256}-gzip"`,
      vary: 'Accept-Encoding',
    });
    expect(Buffer.compare(body, readFileSync(file))).toBe(0);
    const content = gunzipSync(body);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect(linesOf(content)).toHaveLength(ticks);
  });

  test('is sent uncompressed to clients without gzip', async () => {
    const response = await get(path, { 'Accept-Encoding': 'identity' });
    expect([response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual([
      null,
      `"${(await seal()).sha256}"`,
    ]);
    expect(Buffer.compare(await response.bytes(), gunzipSync(readFileSync(file)))).toBe(0);
  });

  test('answers HEAD without a body, and 304 to a client that has it', async () => {
    const head = await get(path, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([head.status, head.headers.get('evidence-source'), (await head.bytes()).length]).toEqual([200, 'sealed', 0]);
    const etag = head.headers.get('etag')!;
    for (let count = 0; count < 5; count++) {
      const again = await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
      expect([again.status, (await again.bytes()).length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    }
  });

  test('is read from the tape with `after`, or if this node does not have the file', async () => {
    const whole = linesOf(gunzipSync(readFileSync(file)));
    const middle = whole[whole.length >> 1]!.seq;
    const later = await get(`${path}?after=${middle}`, { 'Accept-Encoding': 'identity' });
    expect([
      later.headers.get('evidence-source'),
      later.headers.get('cache-control'),
      later.headers.get('etag'),
    ]).toEqual(['tape', 'no-store', null]);
    expect(linesOf(await later.bytes())).toEqual(whole.filter(({ seq }) => seq > middle));
    renameSync(file, `${file}.away`);
    const absent = await get(path, { 'Accept-Encoding': 'identity' });
    renameSync(`${file}.away`, file);
    expect(absent.headers.get('evidence-source')).toBe('tape');
    expect(linesOf(await absent.bytes())).toEqual(whole);
  });
});

test('a day that is not sealed is its tape so far, in the same format', async () => {
  const response = await get(`/api/evidence/${OPEN}/xauusd`, { 'Accept-Encoding': 'gzip' });
  expect([response.status, response.headers.get('evidence-source'), response.headers.get('evidence-sha256')]).toEqual([
    200,
    'tape',
    null,
  ]);
  const lines = linesOf(gunzipSync(await response.bytes()));
  expect(lines.length).toBeGreaterThan(100);
  for (const line of lines) expect(EvidenceLine.parse(line)).toStrictEqual(line);
  expect(lines.every(({ seq }, at) => at === 0 || seq > lines[at - 1]!.seq)).toBe(true);
  // Today's ticks arrive while the service runs.
  const today = new Date().toISOString().slice(0, 10);
  await eventually('the tape of today grows', async () => {
    const now = await get(`/api/evidence/${today}/EURUSD`, { 'Accept-Encoding': 'identity' });
    return now.status === 200 && (await now.bytes()).length > 0;
  });
});

test('rejects days and instruments that do not exist, and counts each request', async () => {
  const codeOf = async (path: string): Promise<unknown[]> => {
    const response = await get(path);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  expect(await codeOf('/api/evidence/2020-01-01/EURUSD')).toEqual([404, 'no_evidence']);
  expect(await codeOf(`/api/evidence/${SEALED}/GBPUSD`)).toEqual([404, 'no_evidence']);
  expect(await codeOf('/api/evidence/9999-12-31/EURUSD')).toEqual([404, 'no_evidence']);
  for (const day of ['2026-02-30', 'today', '2026-3-2', '20260302', '2026-03-02T00:00:00Z'])
    expect(await codeOf(`/api/evidence/${encodeURIComponent(day)}/EURUSD`)).toEqual([400, 'invalid_parameter']);
  for (const symbol of ['NOSUCH', '..%2F..%2Flog-key.pem', "x'%20OR%201=1", '%00'])
    expect(await codeOf(`/api/evidence/${SEALED}/${symbol}`)).toEqual([404, 'symbol_not_found']);
  expect(await codeOf(`/api/evidence/${SEALED}/EURUSD?after=x`)).toEqual([400, 'invalid_parameter']);
  const left = (response: Response): number => Number(response.headers.get('x-ratelimit-remaining'));
  const [first, second] = [await get(`/api/evidence/${SEALED}/EURUSD`), await get(`/api/evidence/${SEALED}/EURUSD`)];
  expect(left(first) - left(second)).toBe(1);
  await Promise.all([first.bytes(), second.bytes()]);
  const { key: publish } = await service.key('premium', ['publish']);
  expect((await get(`/api/evidence/${SEALED}/EURUSD`, { 'X-API-Key': publish })).status).toBe(403);
  expect((await fetch(`${service.url}/api/evidence/${SEALED}/EURUSD`)).status).toBe(401);
});

describe('a stream', () => {
  const CHUNK = new Uint8Array(64 * 1024).fill(97);

  test('is produced only as fast as the client reads, and ends when the client leaves', async () => {
    let [produced, released] = [0, 0];
    const endless = async function* () {
      for (;;) {
        produced++;
        yield CHUNK;
      }
    };
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(new BodyStream(endless, () => released++).open()),
    });
    const socket: Socket = connect(server.port!, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually('the stream starts', () => produced > 0);
    let before = -1;
    await eventually('the stream waits', async () => {
      const now = produced;
      await Bun.sleep(100);
      before = now;
      return produced === before;
    });
    // Buffers of the sockets, not the stream.
    expect(produced * CHUNK.length).toBeLessThan(32 * 1024 * 1024);
    expect(released).toBe(0);
    socket.destroy();
    await eventually('the stream is released', () => released === 1);
    const at = produced;
    await Bun.sleep(100);
    expect([produced, released]).toEqual([at, 1]);
    await server.stop(true);
  });

  test('is cut off, not completed, if its source fails', async () => {
    let released = 0;
    const failing = async function* () {
      yield CHUNK;
      throw new Error('the disk is gone');
    };
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      error: () => new Response(null, { status: 500 }),
      fetch: () =>
        new Response(
          new BodyStream(
            () => gzipChunks(failing()),
            () => released++,
          ).open(gunzipChunks),
        ),
    });
    const read = fetch(server.url).then((response) => response.bytes());
    await expect(read).rejects.toThrow();
    expect(released).toBe(1);
    await server.stop(true);
  });
});
