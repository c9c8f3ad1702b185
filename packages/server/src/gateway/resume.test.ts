// Readers of ticks and order flow that come back get what they missed, exactly, and go on without a seam.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { expectChain } from '../testing/chain.fixture.ts';
import { bring, flowEvents, tickEvents } from '../testing/market-events.fixture.ts';
import { RawReader } from '../testing/raw-reader.fixture.ts';
import { ReturningReader, textsOf } from '../testing/returning-reader.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { isData, isEvent, type Message, ofSymbol, StreamClient } from '../testing/stream-client.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'USDJPY', 'GBPUSD'] as const;

/** Both have all symbols from the start on: one moves by itself, the other only when told. */
let busy: RunningService;
let quiet: RunningService;
const keys = new Map<RunningService, string>();
beforeAll(async () => {
  busy = await startService({ sim_rate: '2000' });
  quiet = await startService({ feeds: 'push' });
  for (const service of [busy, quiet]) keys.set(service, (await service.key('premium')).key);
  await bring(quiet, [...tickEvents(SYMBOLS.length, SYMBOLS), ...flowEvents(SYMBOLS.length, SYMBOLS)]);
}, 20_000);
afterAll(() => Promise.all([busy.stop(), quiet.stop()]));

type Flowing = 'market' | 'orderflow';
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
async function staying(service: RunningService, channel: Flowing): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, keys.get(service)!);
  opened.push(stream);
  await stream.ask({ action: 'subscribe', symbols: ['*'], seq: true });
  return stream;
}
function returning(service: RunningService, channel: Flowing, symbols: readonly string[]): ReturningReader {
  const reader = new ReturningReader(service, channel, keys.get(service)!, { symbols });
  opened.push({ close: () => reader.leave(true) });
  return reader;
}
async function raw(channel: Flowing = 'market'): Promise<RawReader> {
  const reader = await RawReader.open(quiet, channel, keys.get(quiet)!);
  opened.push({ close: () => reader.leave(true) });
  return reader;
}

/** A number from 0 to below `n`, the same in every run. */
let state = 42;
const random = (n: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * n);
};

/** What the reader that stayed was sent of these symbols after `from`, up to `to`. */
const between = (stayer: StreamClient, symbols: readonly string[], from: number, to: number): Message[] =>
  stayer.messages.filter(
    ({ event, symbol, seq }) =>
      event === undefined && symbols.includes(String(symbol)) && Number(seq) > from && Number(seq) <= to,
  );

async function expectTheSame(reader: ReturningReader, stayer: StreamClient, symbols: readonly string[]): Promise<void> {
  const { seq } = reader.position;
  await stayer.next((message) => Number(message.seq) >= seq);
  expect(textsOf(reader.data)).toEqual(textsOf(between(stayer, symbols, reader.began, seq)));
  expectChain(reader.data);
  expect(reader.notices.filter((notice) => !isEvent('subscribed')(notice))).toEqual([]);
}

describe('a reader that comes back', () => {
  test.each(['market', 'orderflow'] as const)(
    'on /ws/%s has got what one that stayed got, whenever it went and for however long',
    async (channel) => {
      for (let reader = 0; reader < 3; reader++) {
        const symbols = SYMBOLS.filter((_, at) => at === reader || random(2) === 0);
        const stayer = await staying(busy, channel);
        await stayer.take(100, isData);
        const it = returning(busy, channel, symbols);
        await it.arrive(symbols.length);
        for (let round = 0; round < 4; round++) {
          await it.take(random(25));
          it.leave(round % 2 === 0);
          const away = random(3) * random(80);
          if (away > 0) await stayer.take(away, isData);
          await it.comeBack();
        }
        await it.take(20);
        it.leave();
        await expectTheSame(it, stayer, symbols);
        stayer.close();
      }
    },
    20_000,
  );

  test('gets order flow with each side, method and absorption it had', async () => {
    const stayer = await staying(quiet, 'orderflow');
    const it = returning(quiet, 'orderflow', ['EURUSD', 'XAUUSD']);
    await it.arrive(2);
    it.leave();
    await bring(quiet, flowEvents(900, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    await it.comeBack();
    await it.take(600);
    await bring(quiet, flowEvents(90, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    await it.take(60);
    await expectTheSame(it, stayer, ['EURUSD', 'XAUUSD']);
    const kinds = new Set(it.data.map((m) => [m.ask_volume === 0, m.absorption, m.side_method].join(' ')));
    expect(kinds.size).toBe(18);
  });

  test('gets tens of thousands of messages as slowly as it reads, and is live after them', async () => {
    const stayer = await staying(busy, 'market');
    const it = returning(busy, 'market', ['EURUSD', 'XAUUSD']);
    await it.arrive(2);
    it.leave(true);
    // Twice what the buffers of both sockets take.
    await bring(busy, tickEvents(100_000, ['EURUSD', 'XAUUSD']));
    await it.comeBack();
    await it.stall(300);
    // More than was published: the market has gone on while it read.
    await it.crawlTo(busy.app.journal.lastSeq + 1_000);
    expect(it.data.length).toBeGreaterThan(100_000);
    // Neither `slow` nor `gap`: what it had still to get never waited in its socket.
    await expectTheSame(it, stayer, ['EURUSD', 'XAUUSD']);
  }, 20_000);

  test('has nothing sent to it where nothing happened, no snapshot either', async () => {
    const it = returning(quiet, 'market', ['EURUSD']);
    await it.arrive(1);
    it.leave();
    await it.comeBack();
    await bring(quiet, tickEvents(1));
    await it.take(1);
    expect(it.data).toMatchObject([{ prev: it.began, seq: quiet.app.journal.lastSeq }]);
  });

  test('in the middle of a burst gets each message once, with and without a position', async () => {
    // Without a listener, nothing would be on its way.
    await staying(quiet, 'market');
    for (let round = 0; round < 20; round++) {
      const [stream, other] = [await staying(quiet, 'market'), await staying(quiet, 'market')];
      await stream.ask({ action: 'unsubscribe' });
      await other.ask({ action: 'unsubscribe' });
      const from = { epoch: quiet.app.journal.epoch, seq: quiet.app.journal.lastSeq };
      stream.send({ action: 'subscribe', symbols: ['EURUSD'], seq: true, resume_from: from });
      other.send({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
      // The first goes out at once, those that follow are held back for a moment.
      for (let at = 0; at < 3; at++) quiet.app.journal.append(tickEvents(1));
      await stream.next(isEvent('subscribed'));
      await other.next(isEvent('subscribed'));
      for (let at = 0; at < 3; at++) quiet.app.journal.append(tickEvents(1));
      const last = from.seq + 6;
      const resumed = await stream.take(6, isData);
      expect(resumed.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6].map((at) => from.seq + at));
      const { seq: snapshot } = await other.next(isData);
      const live = await other.take(last - Number(snapshot), isData);
      for (const each of [stream, other]) {
        await each.ask({ action: 'ping' });
        each.close();
      }
      expect(live.map(({ seq }) => seq)).toEqual(live.map((_, at) => Number(snapshot) + 1 + at));
      expect(stream.messages.filter(isData).filter(({ seq }) => Number(seq) > from.seq)).toHaveLength(6);
      expect(other.messages.filter(({ seq }) => Number(seq) > Number(snapshot))).toHaveLength(live.length);
    }
  });

  test('need not want numbers', async () => {
    const it = returning(quiet, 'market', ['EURUSD']);
    await it.arrive(1);
    it.leave();
    const missed = tickEvents(20);
    await bring(quiet, missed);
    const reader = await raw();
    await reader.ask({ action: 'subscribe', symbols: ['EURUSD'], resume_from: it.position });
    await reader.until(() => reader.messages.filter(isData).length >= 20, 'what it missed');
    const got = reader.messages.filter(isData);
    expect(got.map(({ bid, volume, seq }) => [bid, volume, seq])).toEqual(
      missed.map(({ bid, volume }) => [bid, volume, undefined]),
    );
  });
});

describe('on one connection', () => {
  const position = () => ({ epoch: quiet.app.journal.epoch, seq: quiet.app.journal.lastSeq });
  const seqsOf = (reader: RawReader, symbol: string): number[] =>
    reader.messages.filter(ofSymbol(symbol)).map(({ seq }) => Number(seq));
  const seqsBetween = (stayer: StreamClient, symbol: string, from: number, to: number): number[] =>
    between(stayer, [symbol], from, to).map(({ seq }) => Number(seq));
  /** One more tick of each symbol, and the reader has those of these symbols: whatever had to come before them has come. */
  const settled = async (
    reader: RawReader,
    stayer: StreamClient,
    symbols: readonly (typeof SYMBOLS)[number][],
  ): Promise<number> => {
    await bring(quiet, tickEvents(SYMBOLS.length, SYMBOLS));
    const { lastSeq } = quiet.app.journal;
    const last = symbols.map((symbol) => lastSeq + 1 - SYMBOLS.length + SYMBOLS.indexOf(symbol));
    const seen = (seq: number): boolean => reader.messages.some((message) => message.seq === seq);
    await reader.until(() => last.every(seen), 'the last ticks');
    await stayer.next(({ seq }) => seq === lastSeq);
    return lastSeq;
  };
  const subscribe = (symbols: readonly string[], from?: object): Message => ({
    action: 'subscribe',
    symbols,
    seq: true,
    ...(from && { resume_from: from }),
  });

  test('what is subscribed already is not sent again by a resume', async () => {
    const [stayer, from, reader] = [await staying(quiet, 'market'), position(), await raw()];
    await reader.ask(subscribe(['EURUSD', 'GBPUSD']));
    await bring(quiet, tickEvents(300, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    expect(await reader.ask(subscribe(['EURUSD', 'XAUUSD'], from))).toMatchObject({
      symbols: ['EURUSD', 'GBPUSD', 'XAUUSD'],
      rejected: [],
    });
    const lastSeq = await settled(reader, stayer, ['EURUSD', 'GBPUSD', 'XAUUSD']);
    // The euro comes with the snapshot it began with.
    const snapshot = Number(seqsOf(reader, 'EURUSD')[0]);
    expect(seqsOf(reader, 'EURUSD')).toEqual([snapshot, ...seqsBetween(stayer, 'EURUSD', from.seq, lastSeq)]);
    expect(seqsOf(reader, 'XAUUSD')).toEqual(seqsBetween(stayer, 'XAUUSD', from.seq, lastSeq));
    expectChain(reader.messages.filter(isData));
  });

  test('two resumes run side by side, each from its own position', async () => {
    const stayer = await staying(quiet, 'market');
    const first = position();
    await bring(quiet, tickEvents(6_000, SYMBOLS));
    const second = position();
    await bring(quiet, tickEvents(6_000, SYMBOLS));
    const reader = await raw();
    reader.send(subscribe(['EURUSD', 'XAUUSD'], first));
    reader.send(subscribe(['XAUUSD', 'BTCUSD', 'GBPUSD'], second));
    const lastSeq = await settled(reader, stayer, ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD']);
    for (const [symbol, { seq }] of [['EURUSD', first] as const, ['XAUUSD', first], ['BTCUSD', second]] as const)
      expect(seqsOf(reader, symbol)).toEqual(seqsBetween(stayer, symbol, seq, lastSeq));
    expect(reader.messages.filter(({ event }) => event !== undefined && event !== 'subscribed')).toEqual([]);
  });

  test('a symbol can be taken off a replay under way, and taken up again, with and without what was missed', async () => {
    const stayer = await staying(quiet, 'market');
    const from = position();
    await bring(quiet, tickEvents(30_000, SYMBOLS));
    const reader = await raw();
    reader.send(subscribe(['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD'], from));
    await reader.until(() => seqsOf(reader, 'BTCUSD').length > 0, 'the first of the replay');
    reader.send({ action: 'unsubscribe', symbols: ['EURUSD', 'XAUUSD', 'USDJPY'] });
    await reader.until(() => reader.messages.some(isEvent('unsubscribed')), 'the answer');
    const off = reader.messages.findIndex(isEvent('unsubscribed'));
    const last = Number(seqsOf(reader, 'EURUSD').at(-1));
    // The replay was still far from its end.
    expect(last).toBeLessThan(quiet.app.journal.lastSeq - 3_000);
    await reader.ask(subscribe(['EURUSD'], { ...from, seq: last }));
    await reader.ask(subscribe(['XAUUSD']));
    const lastSeq = await settled(reader, stayer, ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD']);
    for (const symbol of ['EURUSD', 'BTCUSD', 'GBPUSD'])
      expect(seqsOf(reader, symbol)).toEqual(seqsBetween(stayer, symbol, from.seq, lastSeq));
    // Of gold: what came before it was taken off, then a snapshot, then what is live.
    const gold = reader.messages.slice(off).filter(ofSymbol('XAUUSD'));
    expect(gold).toHaveLength(2);
    expect(gold[0]).toMatchObject({ volume: 0, seq: gold[1]!.prev });
  }, 10_000);

  test('the options of a symbol can be changed while it is being replayed', async () => {
    const from = position();
    await bring(quiet, tickEvents(20_000, ['EURUSD', 'GBPUSD']));
    const reader = await raw();
    reader.send(subscribe(['EURUSD', 'GBPUSD'], from));
    await reader.until(() => seqsOf(reader, 'GBPUSD').length > 0, 'the first of the replay');
    reader.send({ action: 'subscribe', symbols: ['EURUSD'] });
    const bids = () => reader.messages.filter(ofSymbol('EURUSD')).length;
    await reader.until(() => bids() >= 10_000, 'the whole replay');
    await bring(quiet, tickEvents(2, ['EURUSD', 'GBPUSD']));
    await reader.until(() => seqsOf(reader, 'GBPUSD').length > 10_000, 'what is live');
    expect(bids()).toBe(10_001);
    expect(reader.messages.filter(ofSymbol('EURUSD')).at(-1)).not.toHaveProperty('seq');
    expectChain(reader.messages.filter(ofSymbol('GBPUSD')));
  });
});
