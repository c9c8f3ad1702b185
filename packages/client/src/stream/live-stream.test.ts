// Streams as async iterables: what ends a loop, and what happens if it is slower than the market.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendEvents, tickEvents } from 'tickwire/testing/market-events.fixture.ts';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { TickwireClient } from '../client.ts';
import { realTiming } from '../common/timing.ts';
import type { Gap } from './gap.ts';

const timing = { ...realTiming, random: () => 0 };
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];

let service: RunningService;
let client: TickwireClient;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  client = new TickwireClient({ url: service.url, apiKey: (await service.key('premium')).key, timing });
  await appendEvents(service, tickEvents(SYMBOLS.length, SYMBOLS));
});
afterAll(() => service.stop());

/** The service notices a close a moment later. */
const allClosed = () => eventually('no stream is open', async () => (await client.usage()).streams.open === 0);

describe('a loop', () => {
  test('closes the stream when it is left', async () => {
    const ticks = client.live.ticks({ symbols: ['EURUSD'] });
    for await (const tick of ticks) {
      expect(Object.keys(tick)).toEqual(['symbol', 'bid', 'ask', 'spread', 'time', 'volume']);
      break;
    }
    expect(ticks.state).toBe('closed');
    await allClosed();
  });

  test('ends when the stream is closed, after the waiting messages', async () => {
    const ticks = client.live.ticks({ symbols: SYMBOLS });
    const symbols: string[] = [];
    for await (const { symbol } of ticks) {
      symbols.push(symbol);
      if (symbols.length > 1) continue;
      await eventually('live', () => ticks.state === 'live');
      await Bun.sleep(20);
      ticks.close();
    }
    expect(symbols.sort()).toEqual([...SYMBOLS].sort());
  });

  test('ends when its signal is aborted', async () => {
    const abort = new AbortController();
    const states: string[] = [];
    const signals = client.live.signals({ signal: abort.signal });
    for await (const { state } of signals.states()) {
      states.push(state);
      if (state === 'live') abort.abort();
    }
    expect(states).toEqual(['connecting', 'live', 'closed']);
    for await (const _signal of signals) throw new Error('nothing was published');
    expect(() => client.live.news({ signal: abort.signal })).toThrow();
    await allClosed();
  });

  test('throws the reason if the service ends the stream', async () => {
    const invalid = new TickwireClient({ url: service.url, apiKey: 'tw_no_such_key' });
    const read = async (stream: AsyncIterable<unknown>): Promise<void> => {
      for await (const _message of stream) throw new Error('a message');
    };
    await expect(read(invalid.live.ticks({ symbols: ['EURUSD'] }))).rejects.toMatchObject({
      name: 'TickwireError',
      code: 'invalid_key',
    });
    await expect(read(client.live.ticks({ symbols: ['NOSUCH'] }))).rejects.toMatchObject({ code: 'symbol_not_found' });
    await expect(read(client.live.ticks({ symbols: ['EURUSD'], maxRate: 5_000 }))).rejects.toMatchObject({
      code: 'invalid_message',
    });
  });

  test('cannot be started twice on one stream', async () => {
    const ticks = client.live.ticks({ symbols: ['EURUSD'] });
    const first = ticks[Symbol.asyncIterator]();
    await first.next();
    await expect(ticks.events().next()).rejects.toBeInstanceOf(TypeError);
    await first.return();
  });

  test('sees sequence numbers only with `seq: true`', async () => {
    for await (const tick of client.live.ticks({ symbols: ['EURUSD'], seq: true })) {
      expect(tick).toMatchObject({ seq: expect.any(Number), prev: expect.any(Number), epoch: expect.any(String) });
      break;
    }
  });
});

describe('a loop that is slower than the market', () => {
  const COUNT = 3_000;

  test('loses nothing, because the stream disconnects and resumes', async () => {
    const gaps: Gap[] = [];
    const ticks = client.live.ticks({ symbols: SYMBOLS, buffer: 100, onGap: (gap) => gaps.push(gap) });
    await eventually('live', () => ticks.state === 'live');
    const sent = tickEvents(COUNT, SYMBOLS);
    await appendEvents(service, sent);
    const bids: number[] = [];
    let waits = 0;
    for await (const event of ticks.events()) {
      if (event.type === 'state' && event.state === 'stale') waits++;
      if (event.type !== 'message' || event.message.volume === 0) continue;
      bids.push(event.message.bid);
      if (bids.length % 20 === 0) await Bun.sleep(1);
      if (event.message.bid === sent.at(-1)?.bid) break;
    }
    expect(bids).toEqual(sent.filter(({ volume }) => volume > 0).map(({ bid }) => bid));
    expect(gaps).toEqual([]);
    expect(waits).toBeGreaterThan(2);
  });

  test('gets the newest messages with overflow: latest, after a gap that counts the rest', async () => {
    const ticks = client.live.ticks({ symbols: SYMBOLS, buffer: 50, overflow: 'latest' });
    await eventually('live', () => ticks.state === 'live');
    const sent = tickEvents(COUNT, SYMBOLS);
    await appendEvents(service, sent);
    let read = 0;
    let dropped = 0;
    const [last] = sent.slice(-1);
    await Bun.sleep(50);
    for await (const event of ticks.events()) {
      if (event.type === 'message') read++;
      if (event.type === 'gap') {
        expect(event).toMatchObject({ reason: 'behind', symbols: expect.arrayContaining(['EURUSD']) });
        dropped += event.dropped ?? 0;
      }
      if (event.type === 'message' && event.message.bid === last?.bid) break;
    }
    // With the snapshots.
    expect(read + dropped).toBe(COUNT + SYMBOLS.length);
    expect(read).toBeLessThan(COUNT / 2);
  });
});
