// Lines pushed over `/ws/ingest` by clients that send many small frames, or more lines than they may.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Connection } from './connection.ts';
import { PushQueue } from './push-queue.ts';
import type { StreamSocket } from './stream-socket.ts';

const START = Date.UTC(2024, 0, 2, 10);
const quote = (at: number, bid = 1.1): string =>
  JSON.stringify({ symbol: 'EURUSD', time: START + at, bid, ask: bid + 0.0001 });

const pushers: StreamClient[] = [];
async function pusher(service: RunningService): Promise<StreamClient> {
  const { key } = await service.key('free', ['ingest']);
  const stream = await StreamClient.open(`${service.wsUrl}/ws/ingest`, key);
  pushers.push(stream);
  return stream;
}
afterAll(() => {
  for (const stream of pushers) stream.close();
});

describe('a feed handler that sends each tick as it comes', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ feeds: 'push' });
  });
  afterAll(() => service.stop());

  test('is read however many frames it sends, and gets one answer to each, in order', async () => {
    const stream = await pusher(service);
    const count = 5_000;
    for (let at = 0; at < count; at++) stream.sendRaw(at % 1_000 === 7 ? 'nonsense' : quote(at));
    for (let at = 0; at < count; at++) {
      const answer = await stream.next();
      if (at % 1_000 === 7)
        expect(answer).toMatchObject({
          event: 'ingested',
          accepted: 0,
          rejected: [{ line: 1, code: 'malformed_json' }],
        });
      else expect(answer).toEqual({ event: 'ingested', accepted: 1, rejected: [], rejected_count: 0 });
    }
    const quoted = await fetch(`${service.url}/api/market/EURUSD/quote`, {
      headers: { 'X-API-Key': (await service.key()).key },
    });
    expect(await quoted.json()).toMatchObject({ timestamp: new Date(START + count - 1).toISOString() });
  });

  test('gets line numbers that start at 1 in each frame, whatever is handled together with it', async () => {
    const stream = await pusher(service);
    const bad = 'nonsense';
    const frames = [
      quote(9_000),
      `${bad}\n\n${quote(9_001)}`,
      `${quote(9_002)}\r\n${bad}\n${bad}\n`,
      '',
      `${quote(9_003)}\n${quote(9_004)}`,
    ];
    for (const frame of frames) stream.sendRaw(frame);
    const answers: unknown[] = [];
    for (const _ of frames) {
      const { accepted, rejected } = (await stream.next()) as { accepted: number; rejected: { line: number }[] };
      answers.push([accepted, rejected.map(({ line }) => line)]);
    }
    expect(answers).toEqual([
      [1, []],
      [1, [1]],
      [1, [2, 3]],
      [0, []],
      [2, []],
    ]);
  });
});

describe('a client that pushes more lines than it may', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ feeds: 'push', ingest_lines_per_minute: '50' });
  });
  afterAll(() => service.stop());

  test('receives a notice, waits, and stays connected', async () => {
    const stream = await pusher(service);
    for (let at = 0; at < 300; at++) stream.sendRaw(quote(at));
    for (let at = 0; at < 50; at++) expect(await stream.next()).toMatchObject({ event: 'ingested', accepted: 1 });
    const notice = (await stream.next()) as { event: string; seconds: number };
    expect(notice.event).toBe('paused');
    expect(notice.seconds).toBeWithin(1, 61);
    await Bun.sleep(50);
    expect(stream.closing).toBeNull();
  });

  test('gets an error for a frame that does not fit within a minute either, and goes on', async () => {
    let now = START;
    const sent: object[] = [];
    const connection = new Connection('ingest', '192.0.2.1', null, now);
    connection.socket = {
      ...({ send: (text: string) => sent.push(JSON.parse(text)), getBufferedAmount: () => 0 } as StreamSocket),
    };
    const limit = new ServiceError('rate_limited', 'Too many lines.', { retryAfterSeconds: 0.001 });
    const ingest = {
      open: () => {},
      push(_: unknown, lines: readonly string[]) {
        if (lines[0] === 'small') return { accepted: 1, rejected: [], rejected_count: 0 };
        now += 20_000;
        throw limit;
      },
    };
    const onFault = (error: unknown): void => {
      throw error;
    };
    const queue = new PushQueue({ connection, ingest, now: () => now, onFault });
    queue.add('large');
    queue.add('small');
    while (sent.length < 3) await Bun.sleep(1);
    expect(sent).toMatchObject([
      { event: 'paused' },
      { event: 'error', code: 'rate_limited', fatal: false },
      { event: 'ingested', accepted: 1 },
    ]);
    expect(now).toBeGreaterThan(START + 60_000);
  });
});
