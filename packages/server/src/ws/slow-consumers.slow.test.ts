// A client that does not read: it gets a notice, then the newest values, then the number of dropped messages. Others are not
// affected.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type TickEvent } from '@tickwire/engine';
import { expectClientContinuity, expectContinuity } from '../../testing/continuity.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { clientFrame, type RawSocket, rawStream, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { signalEvent } from '../../testing/signals.fixture.ts';
import { lastMessages } from '../../testing/stalled-consumer.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ sim_rate: '200', metrics_port: '0' });
});
afterAll(() => service.stop());

const SYMBOL = 'EURUSD';
/** Ticks as a feed sends them, more than any socket buffers. */
function flood(count: number): void {
  const time = asEpochMs(Date.now());
  const tick: TickEvent = {
    kind: 'tick',
    symbol: asSymbol(SYMBOL),
    time,
    bid: 1.08412,
    ask: 1.08424,
    bidSize: 1,
    askSize: 1,
    volume: 2.5,
  };
  service.app.journal.append(Array.from({ length: count }, () => tick));
}

/** That many in bursts that a client in this process can keep up with. */
async function stream(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000) {
    flood(Math.min(left, 1_000));
    await Bun.sleep(5);
  }
}

async function slowCrossings(): Promise<number> {
  const text = await (await fetch(`${service.app.metricsUrl}/metrics`)).text();
  return Number(/^tickwire_\w*slow\w* (\d+)/m.exec(text)?.[1]);
}

/** A paused client, and the flood that made it slow. */
async function fallBehind(socket: RawSocket): Promise<void> {
  const before = await slowCrossings();
  socket.pause();
  for (let round = 0; round < 100 && (await slowCrossings()) === before; round++) await stream(4_000);
}

const messagesOf = (socket: RawSocket): Message[] =>
  serverFrames(socket.received)
    .frames.filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => JSON.parse(payload.toString()));

async function slowReader(key: string): Promise<RawSocket> {
  const socket = await rawStream(service.url, '/ws/market', key);
  socket.write(clientFrame(1, JSON.stringify({ action: 'subscribe', symbols: [SYMBOL], seq: true })));
  await socket.until(({ received }) => serverFrames(received).frames.length >= 2);
  return socket;
}

/** Resumes reading until the gap notice and some live messages after it. */
async function catchUp(socket: RawSocket): Promise<Message[]> {
  socket.resume();
  await socket.until(({ received }) => received.subarray(-20_000).includes('"event":"gap"'), 10_000);
  const { length } = socket.received;
  flood(10);
  await socket.until(({ received }) => received.length > length + 500);
  return messagesOf(socket);
}

const goldSignal = (id: string) => signalEvent(id, 'XAUUSD');

describe('a slow client', () => {
  test('gets a slow notice, then the exact number of dropped messages, while others lose nothing', async () => {
    const { key } = await service.key('premium');
    const others = await Promise.all([1, 2].map(() => StreamClient.open(`${service.wsUrl}/ws/market`, key)));
    for (const other of others) await other.ask({ action: 'subscribe', symbols: ['*'], seq: true });
    const socket = await slowReader(key);
    await fallBehind(socket);
    await stream(20_000);
    // A repeated subscription must not reset what is conflated.
    socket.write(clientFrame(1, JSON.stringify({ action: 'subscribe', symbols: [SYMBOL], seq: true, id: 'again' })));
    await stream(20_000);
    const messages = await catchUp(socket);
    socket.destroy();

    const slow = messages.findIndex(isEvent('slow'));
    const gap = messages.findIndex(isEvent('gap'));
    expect(slow).toBeGreaterThan(0);
    expect(gap).toBeGreaterThan(slow);
    expect(messages[slow]).toMatchObject({ delivery: 'latest' });
    expectContinuity(messages.slice(0, slow).filter(isData));
    expectContinuity(messages.slice(gap).filter(isData));

    const last = Number(messages.findLast(isData)!.seq);
    for (const other of others) {
      await other.next(({ seq }) => Number(seq) >= last);
      expectContinuity(other.messages.filter(isData));
      expect(other.messages.some(isEvent('slow'))).toBe(false);
    }
    const received = new Set(messages.filter(isData).map(({ seq }) => seq));
    const first = Math.min(...[...received].map(Number));
    const published = others[0]!.messages.filter(
      ({ symbol, seq }) => symbol === SYMBOL && Number(seq) > first && Number(seq) <= last,
    );
    const missing = published.filter(({ seq }) => !received.has(seq)).length;
    expect(missing).toBeGreaterThan(20_000);
    expect(messages[gap]).toMatchObject({ reason: 'slow', symbols: [SYMBOL], dropped: missing });
    for (const other of others) other.close();
  });

  test('does not grow memory: its buffer is bounded, however much is published', async () => {
    const { key } = await service.key('premium');
    const socket = await slowReader(key);
    await fallBehind(socket);
    const bytes = 40 * 4_000 * 150;
    for (let round = 0; round < 40; round++) {
      flood(4_000);
      await Bun.sleep(1);
    }
    const messages = await catchUp(socket);
    const slow = messages.findIndex(isEvent('slow'));
    expect(Number(messages[slow]!.buffered_bytes)).toBeLessThan(4 * 1024 * 1024);
    // After the notice only the newest values are kept for it, not the 24 MB published meanwhile.
    const after = messages.slice(slow).reduce((sum, message) => sum + JSON.stringify(message).length, 0);
    expect(after).toBeLessThan(bytes / 100);
    socket.destroy();
  });

  // The runtime drops a closing connection that has not drained within four seconds, and its last message with it.
  test.each([
    ['signals', 5_000],
    ['news', 250],
  ] as const)(
    'of %s is disconnected with 4409, because they are never conflated, and can read the reason however late',
    async (channel, stuckMs) => {
      const { key } = await service.key('free');
      // Another instrument: the flood alone is more than a client in this process can keep up with.
      const other = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
      await other.ask({ action: 'subscribe', symbols: ['XAUUSD'], seq: true });
      const cut = lastMessages(service, key, channel, stuckMs);
      const gold = channel === 'news' ? (id: string) => newsEvent(id, { symbols: ['XAUUSD'] }) : goldSignal;
      // While the other is stuck, and afterwards.
      for (let at = 0; at < 100; at++) {
        service.app.journal.append([gold(`gold_${at}`)]);
        await Bun.sleep(5);
      }
      const { notice, close } = await cut;
      expect(close).toBe(4409);
      expect(notice).toMatchObject({ event: 'error', code: 'too_slow', fatal: true, retryable: true });
      expect(notice.resume_from).toMatchObject({ epoch: expect.any(String), seq: expect.any(Number) });
      await other.take(100, isData, 10_000);
      (channel === 'news' ? expectClientContinuity : expectContinuity)(other.messages.filter(isData));
      other.close();
    },
  );
});
