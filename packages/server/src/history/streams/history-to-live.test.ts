// A REST answer and a subscription that resumes at its position are together the complete sequence: nothing is missing and nothing
// is there twice, wherever the cut lies.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import fc from 'fast-check';
import { flowEvents, tickEvents } from '../../../testing/market-events.fixture.ts';
import { eventually } from '../../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];
let service: RunningService;
let key: string;
/** `seq` of every tick and trade of a symbol. */
const truth = { market: new Map<string, number[]>(), orderflow: new Map<string, number[]>() };
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000' });
  key = (await service.key('premium', ['read', 'ingest'])).key;
  service.app.journal.subscribe(({ firstSeq, events }) => {
    for (const [index, event] of events.entries()) {
      if (event.kind !== 'tick' && event.kind !== 'flow') continue;
      const seqs = truth[event.kind === 'tick' ? 'market' : 'orderflow'];
      seqs.set(event.symbol, [...(seqs.get(event.symbol) ?? []), firstSeq + index]);
    }
  });
});
afterAll(() => service.stop());

async function get(path: string) {
  const response = await fetch(service.url + path, { headers: { 'X-API-Key': key } });
  expect(response.status).toBe(200);
  const seq = Number(response.headers.get('Stream-Seq'));
  return { body: (await response.json()) as never, position: { epoch: response.headers.get('Stream-Epoch')!, seq } };
}
const open = (channel: string) => StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);

/** Sizes of batches: those before the answer, between the answer and the subscription, and while it starts. */
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 });
const cuts = fc.record({ before: sizes, between: sizes, during: sizes });

async function append(batches: readonly number[]): Promise<void> {
  for (const size of batches) {
    service.app.journal.append([...tickEvents(size, SYMBOLS), ...flowEvents(size, SYMBOLS)]);
    await Bun.sleep(0);
  }
}

describe.each(['market', 'orderflow'] as const)('ticks on /ws/%s', (channel) => {
  test.each([
    '/api/market/EURUSD/quote',
    '/api/quotes',
    '/api/bars/EURUSD?interval=1m',
    '/api/market/EURUSD?from=1970-01-01',
  ])('follow the answer of %s without a gap or an overlap', async (path) => {
    await append([5]);
    await fc.assert(
      fc.asyncProperty(cuts, async ({ before, between, during }) => {
        // The answer is read at any moment of the first batches.
        const [{ position }] = await Promise.all([get(path), append(before)]);
        await append(between);
        const stream = await open(channel);
        stream.send({ action: 'subscribe', symbols: SYMBOLS, seq: true, resume_from: position });
        await append(during);
        await append([1]);
        const expected = SYMBOLS.map((symbol) => truth[channel].get(symbol)!.filter((seq) => seq > position.seq));
        const count = expected.reduce((sum, seqs) => sum + seqs.length, 0);
        await eventually('every message', () => stream.messages.filter(isData).length >= count);
        const received = SYMBOLS.map((symbol) =>
          stream.messages.filter((message) => isData(message) && message.symbol === symbol).map(({ seq }) => seq),
        );
        expect(received).toEqual(expected);
        expect(stream.messages.filter(({ event }) => event !== undefined && event !== 'subscribed')).toEqual([]);
        stream.close();
      }),
      { numRuns: 6 },
    );
  });
});

test('a quote is that of the last tick up to its position', async () => {
  for (let round = 0; round < 20; round++) {
    const bids = new Map<number, number>();
    const stop = service.app.journal.subscribe(({ firstSeq, events }) => {
      for (const [at, event] of events.entries())
        if (event.kind === 'tick' && event.symbol === 'EURUSD') bids.set(firstSeq + at, event.bid);
    });
    await append([1]);
    const [{ body, position }] = await Promise.all([get('/api/market/EURUSD/quote'), append([3, 2, 1])]);
    stop();
    const last = Math.max(...[...bids.keys()].filter((seq) => seq <= position.seq));
    expect((body as { bid: number }).bid).toBe(bids.get(last)!);
  }
});

describe('bars', () => {
  interface RestBar {
    readonly time: string;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
    readonly volume: number;
  }
  const pick = ({ open, high, low, close, volume }: Message | RestBar) => [open, high, low, close, volume];

  /** Quotes of the last nine minutes, in any order: they form, close and amend bars. */
  async function push(symbol: string, ages: readonly number[]): Promise<void> {
    const now = Date.now();
    const lines = ages.map((age, at) => {
      const bid = 1 + ((age * 7919 + at) % 1000) / 10_000;
      return JSON.stringify({ symbol, time: now - age * 5_000, bid, ask: bid + 0.001 });
    });
    const response = await fetch(`${service.url}/ingest/ticks`, {
      method: 'POST',
      body: lines.join('\n'),
      headers: { 'X-API-Key': key },
    });
    expect(await response.json()).toMatchObject({ accepted: ages.length });
  }
  const ages = fc.array(fc.integer({ min: 0, max: 108 }), { minLength: 1, maxLength: 12 });
  let run = 0;
  const fresh = ['AUDUSD', 'NZDUSD', 'GBPUSD', 'EURGBP', 'USDCHF', 'USDCAD'];

  test.each([
    ['/api/market/{symbol}?bars=500&timeframe=', '1m'],
    ['/api/market/{symbol}?from=1970-01-01&bars=500&timeframe=', '5m'],
    ['/api/bars/{symbol}?limit=10000&interval=', '1m'],
    ['/api/bars/{symbol}?limit=10000&interval=', '1h'],
  ] as [string, Timeframe][])('of %s%s are those of the truth after every message', async (path, timeframe) => {
    const symbol = fresh[run++ % fresh.length]!;
    const address = path.replace('{symbol}', symbol) + timeframe;
    const barsOf = (body: { ohlcv?: RestBar[]; items?: RestBar[] }): RestBar[] => (body.ohlcv ?? body.items)!;
    await push(symbol, [108]);
    await fc.assert(
      fc.asyncProperty(ages, ages, ages, async (first, second, third) => {
        const [{ body, position }] = await Promise.all([get(address), push(symbol, first)]);
        await push(symbol, second);
        const stream = await open('market');
        const subscribed = { action: 'subscribe', channel: 'bars', timeframe, symbols: [symbol], seq: true };
        stream.send({ ...subscribed, resume_from: position });
        await push(symbol, third);
        const bars = new Map(barsOf(body).map((bar) => [Date.parse(bar.time) / 1000, pick(bar)]));
        const state = (): Map<number, unknown> => {
          const all = new Map(bars);
          for (const message of stream.messages.filter(isData)) all.set(Number(message.time), pick(message));
          return all;
        };
        const expected = async () =>
          barsOf((await get(address)).body).map((bar) => [Date.parse(bar.time) / 1000, pick(bar)]);
        await eventually('the bars of the truth', async () => {
          const shown = [...state()].sort(([a], [b]) => a - b);
          return JSON.stringify(shown) === JSON.stringify(await expected());
        });
        // No closed bar is repeated: each message is news.
        const seqs = stream.messages.filter(isData).map(({ seq }) => Number(seq));
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
        expect(seqs.every((seq) => seq > position.seq)).toBe(true);
        let prev = position.seq;
        for (const message of stream.messages.filter(isData)) {
          expect(Number(message.prev)).toBeLessThanOrEqual(prev);
          if (Number(message.prev) < prev) expect(prev).toBe(position.seq);
          prev = Number(message.seq);
        }
        stream.close();
      }),
      { numRuns: 4 },
    );
  });

  test('nothing is sent again if nothing has changed since the answer', async () => {
    await push('USDCAD', [20, 10, 0]);
    const { position } = await get('/api/market/USDCAD?timeframe=1m');
    const stream = await open('market');
    stream.send({
      action: 'subscribe',
      channel: 'bars',
      timeframe: '1m',
      symbols: ['USDCAD'],
      seq: true,
      resume_from: position,
    });
    await stream.next(({ event }) => event === 'subscribed');
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData).filter(({ seq }) => Number(seq) <= position.seq)).toEqual([]);
    stream.close();
  });

  test('a position that is no longer known is declared as a gap, with the timeframe to fetch', async () => {
    const stream = await open('market');
    const resume_from = { epoch: 'another', seq: 1 };
    stream.send({ action: 'subscribe', channel: 'bars', timeframe: '5m', symbols: ['USDCAD'], resume_from });
    const gap = await stream.next(({ event }) => event === 'gap');
    expect(gap).toMatchObject({ reason: 'resume', symbols: ['USDCAD'] });
    expect(gap.fill).toBe('/api/market/{symbol}?timeframe=5m&from={since}');
    const { time } = await stream.next(isData);
    expect(Number(time) % (TIMEFRAME_MS['5m'] / 1000)).toBe(0);
    stream.close();
  });
});

describe('"ms":true', () => {
  test.each([
    ['market', {}],
    ['orderflow', {}],
    ['market', { seq: true }],
    ['market', { channel: 'bars', timeframe: '1m' }],
    ['market', { max_rate: 100 }],
  ])('adds the milliseconds on %s with %p, to snapshots and live messages', async (channel, options) => {
    await append([3]);
    const stream = await open(channel);
    stream.send({ action: 'subscribe', symbols: ['EURUSD'], ms: true, ...options });
    await stream.next(({ event }) => event === 'subscribed');
    await append([2]);
    await eventually('messages', () => stream.messages.filter(isData).length >= 2);
    for (const message of stream.messages.filter(isData)) {
      expect(Number.isInteger(message.time_ms)).toBe(true);
      expect(Math.floor(Number(message.time_ms) / 1000)).toBe(Number(message.time));
      expect('seq' in message).toBe('seq' in options);
    }
    stream.close();
  });

  test('also in a replay, and other subscribers get the documented fields only', async () => {
    const { position } = await get('/api/quotes');
    await append([4]);
    const [with_ms, without] = await Promise.all([open('market'), open('market')]);
    for (const [stream, ms] of [
      [with_ms!, true],
      [without!, false],
    ] as const)
      stream.send({ action: 'subscribe', symbols: ['EURUSD'], resume_from: position, ...(ms && { ms }) });
    await append([1]);
    const fields = async (stream: StreamClient) => Object.keys(await stream.next(isData));
    const documented = ['symbol', 'bid', 'ask', 'spread', 'time', 'volume'];
    expect(await fields(without!)).toEqual(documented);
    expect(await fields(with_ms!)).toEqual([...documented, 'time_ms']);
    for (const stream of [with_ms!, without!]) stream.close();
  });

  test('is not needed on signals and news, which say so', async () => {
    const stream = await open('news');
    const reply = await stream.ask({ action: 'subscribe', ms: true });
    expect(reply.warnings).toEqual([{ option: 'ms', message: expect.stringContaining('milliseconds') }]);
    stream.close();
  });
});
