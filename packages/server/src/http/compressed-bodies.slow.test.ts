// Small compressed bodies that become large ones: they must not stall the service, fill its memory or be repeatable
// without end.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { IngestAnswer, Problem } from '@tickwire/contract';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { makeKey, type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

const MIB = 1024 * 1024;
const GZIP = { 'Content-Encoding': 'gzip' };

const push = (url: string, key: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
  fetch(`${url}/ingest/ticks`, { method: 'POST', body, headers: { ...headers, 'X-API-Key': key } });

describe('64 MiB of newlines in 65 KB of gzip, to a real process', () => {
  const bomb = Bun.gzipSync(Buffer.alloc(64 * MIB, '\n'));
  const folder = temporaryFolder();
  let service: ServiceProcess;
  let key: string;
  beforeAll(async () => {
    ({ key } = await makeKey(folder, 'free', ['ingest']));
    service = await ServiceProcess.start({ data: folder, feeds: 'push' });
  });
  afterAll(async () => {
    await service.stop();
    await killLeftovers();
    rmSync(folder, { recursive: true, force: true });
  });
  const peakMib = (): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.bunPid}/status`, 'utf8'))![1]) / 1024;

  test('do not stall other requests, cost little memory, and a repetition is refused at once', async () => {
    const before = peakMib();
    const done = Promise.all(Array.from({ length: 8 }, () => push(service.url, key, bomb, GZIP)));
    let finished = false;
    let slowest = 0;
    done.finally(() => {
      finished = true;
    });
    while (!finished) {
      const passed = startWatch();
      await service.get('/healthz');
      slowest = Math.max(slowest, passed());
      await Bun.sleep(1);
    }
    expect((await done).map(({ status }) => status)).toEqual(Array(8).fill(429));
    expect(slowest).toBeLessThan(500);
    expect(peakMib() - before).toBeLessThan(200);
    const passed = startWatch();
    expect((await push(service.url, key, bomb, GZIP)).status).toBe(429);
    expect(passed()).toBeLessThan(100);
  });
});

describe('refused lines', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ feeds: 'push', ingest_lines_per_minute: '1000' });
  });
  afterAll(() => service.stop());
  const newKey = async (): Promise<string> => (await service.key('free', ['ingest'])).key;
  const line = (): string => JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid: 1, ask: 1.001 });

  test.each([
    ['plain', (text: string) => text, {}],
    ['gzip', (text: string) => Bun.gzipSync(text), GZIP],
  ])('count in an allowance of the same size (%s)', async (_, encode, headers) => {
    const key = await newKey();
    const tooMany = encode('\n'.repeat(1_001));
    expect((await push(service.url, key, tooMany, headers)).status).toBe(429);
    const refused = await push(service.url, key, encode(line()), headers);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(55, 62);
    expect(Problem.parse(await refused.json()).detail).toContain('1000 lines');
  });

  test('within the allowance do not affect the next body', async () => {
    const key = await newKey();
    expect((await push(service.url, key, Array(600).fill(line()).join('\n'))).status).toBe(200);
    expect((await push(service.url, key, '\n'.repeat(500))).status).toBe(429);
    const accepted = await push(service.url, key, Bun.gzipSync(`${line()}\n${line()}`), GZIP);
    expect(IngestAnswer.parse(await accepted.json())).toMatchObject({ accepted: 2, rejected_count: 0 });
  });

  test.each([
    ['empty bodies', () => ({ body: '', headers: {} })],
    ['repeated bodies', () => ({ body: line(), headers: { 'Idempotency-Key': 'again' } })],
    ['bodies in another encoding', () => ({ body: line(), headers: { 'Content-Encoding': 'br' } })],
  ])('%s are not free', async (_, make) => {
    const key = await newKey();
    const { body, headers } = make();
    const statuses = new Map<number, number>();
    for (let at = 0; at < 1_010; at++) {
      const { status } = await push(service.url, key, body, headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(429)).toBeWithin(8, 12);
  });

  test('a line of more than 64 KiB is rejected on its own', async () => {
    const long = JSON.stringify({ symbol: 'x'.repeat(65_536) });
    const response = await push(service.url, await newKey(), [line(), long, '', 'no', line()].join('\n'));
    const { accepted, rejected } = IngestAnswer.parse(await response.json());
    expect(accepted).toBe(2);
    expect(rejected.map(({ line: number, code }) => [number, code])).toEqual([
      [2, 'malformed_line'],
      [4, 'malformed_json'],
    ]);
  });

  test('a byte order mark is skipped at the start of a body only', async () => {
    const response = await push(service.url, await newKey(), `\ufeff${line()}\n\ufeff${line()}`);
    const { accepted, rejected } = IngestAnswer.parse(await response.json());
    expect([accepted, rejected.map(({ line: number }) => number)]).toEqual([1, [2]]);
  });
});
