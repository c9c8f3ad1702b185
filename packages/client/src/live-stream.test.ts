// Streams as loops: what ends them, and what happens when the loop is slower than the market.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { bring, tickEvents } from 'tickwire/src/testing/market-events.fixture.ts';
import { eventually } from 'tickwire/src/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/src/testing/service.fixture.ts';
import { TickwireClient } from './client.ts';
import type { Gap } from './gap.ts';
import { realTiming } from './timing.ts';

const timing = { ...realTiming, random: () => 0 };
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];

let service: RunningService;
let client: TickwireClient;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  client = new TickwireClient({ url: service.url, apiKey: (await service.key('premium')).key, timing });
  await bring(service, tickEvents(SYMBOLS.length, SYMBOLS));
});
afterAll(() => service.stop());

/** A service is told of a close a moment later. */
const noneOpen = () => eventually('no stream is open', async () => (await client.usage()).streams.open === 0);

describe('a loop', () => {
  test('that is left closes the stream', async () => {
    const ticks = client.live.ticks({ symbols: ['EURUSD'] });
    for await (const tick of ticks) {
      expect(Object.keys(tick)).toEqual(['symbol', 'bid', 'ask', 'spread', 'time', 'volume']);
      break;
    }
    expect(ticks.state).toBe('closed');
    await noneOpen();
  });

  test('ends when the stream is closed, after what was waiting', async () => {
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
    await noneOpen();
  });

  test('throws what the service ended the stream for', async () => {
    const stranger = new TickwireClient({ url: service.url, apiKey: 'tw_no_such_key' });
    const read = async (stream: AsyncIterable<unknown>): Promise<void> => {
      for await (const _message of stream) throw new Error('a message');
    };
    await expect(read(stranger.live.ticks({ symbols: ['EURUSD'] }))).rejects.toMatchObject({
      name: 'TickwireError',
      code: 'invalid_key',
    });
    await expect(read(client.live.ticks({ symbols: ['NOSUCH'] }))).rejects.toMatchObject({ code: 'symbol_not_found' });
    await expect(read(client.live.ticks({ symbols: ['EURUSD'], maxRate: 5_000 }))).rejects.toMatchObject({
      code: 'invalid_message',
    });
  });

  test('is the only one over its stream', async () => {
    const ticks = client.live.ticks({ symbols: ['EURUSD'] });
    const first = ticks[Symbol.asyncIterator]();
    await first.next();
    await expect(ticks.events().next()).rejects.toBeInstanceOf(TypeError);
    await first.return();
  });

  test('sees the numbers only where it asked for them', async () => {
    for await (const tick of client.live.ticks({ symbols: ['EURUSD'], seq: true })) {
      expect(tick).toMatchObject({ seq: expect.any(Number), prev: expect.any(Number), epoch: expect.any(String) });
      break;
    }
  });
});

describe('a loop that is slower than the market', () => {
  const COUNT = 3_000;

  test('loses nothing: the stream waits for it, and comes back for the rest', async () => {
    const gaps: Gap[] = [];
    const ticks = client.live.ticks({ symbols: SYMBOLS, buffer: 100, onGap: (gap) => gaps.push(gap) });
    await eventually('live', () => ticks.state === 'live');
    const sent = tickEvents(COUNT, SYMBOLS);
    await bring(service, sent);
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
  }, 15_000);

  test('that wants the newest gets it, after a gap that counts what was left out', async () => {
    const ticks = client.live.ticks({ symbols: SYMBOLS, buffer: 50, overflow: 'latest' });
    await eventually('live', () => ticks.state === 'live');
    const sent = tickEvents(COUNT, SYMBOLS);
    await bring(service, sent);
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
