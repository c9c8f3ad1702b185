// Clients of ticks and order flow that resume get exactly what they missed, and continue live.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { RawClient } from '../../testing/raw-client.fixture.ts';
import { ResumingClient, textsOf } from '../../testing/resuming-client.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, ofSymbol, StreamClient } from '../../testing/stream-client.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'USDJPY', 'GBPUSD'] as const;

/** Both clients subscribe to all symbols: one stays connected, the other is controlled by the test. */
let busy: RunningService;
let quiet: RunningService;
const keys = new Map<RunningService, string>();
beforeAll(async () => {
  busy = await startService({ sim_rate: '2000' });
  quiet = await startService({ feeds: 'push' });
  for (const service of [busy, quiet]) keys.set(service, (await service.key('premium')).key);
  await appendEvents(quiet, [...tickEvents(SYMBOLS.length, SYMBOLS), ...flowEvents(SYMBOLS.length, SYMBOLS)]);
});
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
function returning(service: RunningService, channel: Flowing, symbols: readonly string[]): ResumingClient {
  const client = new ResumingClient(service, channel, keys.get(service)!, { symbols });
  opened.push({ close: () => client.leave(true) });
  return client;
}
async function raw(channel: Flowing = 'market'): Promise<RawClient> {
  const client = await RawClient.open(quiet, channel, keys.get(quiet)!);
  opened.push({ close: () => client.leave(true) });
  return client;
}

/** A number from 0 to below `n`, the same in every run. */
let state = 42;
const random = (n: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * n);
};

/** What the connected client was sent of these symbols after `from`, up to `to`. */
const between = (stayer: StreamClient, symbols: readonly string[], from: number, to: number): Message[] =>
  stayer.messages.filter(
    ({ event, symbol, seq }) =>
      event === undefined && symbols.includes(String(symbol)) && Number(seq) > from && Number(seq) <= to,
  );

async function expectTheSame(client: ResumingClient, stayer: StreamClient, symbols: readonly string[]): Promise<void> {
  const { seq } = client.position;
  await stayer.next((message) => Number(message.seq) >= seq);
  expect(textsOf(client.data)).toEqual(textsOf(between(stayer, symbols, client.firstSeq, seq)));
  expectContinuity(client.data);
  expect(client.notices.filter((notice) => !isEvent('subscribed')(notice))).toEqual([]);
}

describe('a client that resumes', () => {
  test.each(['market', 'orderflow'] as const)(
    'on /ws/%s gets the same as one that stayed connected, whenever it left and for however long',
    async (channel) => {
      for (let client = 0; client < 3; client++) {
        const symbols = SYMBOLS.filter((_, at) => at === client || random(2) === 0);
        const stayer = await staying(busy, channel);
        await stayer.take(100, isData);
        const it = returning(busy, channel, symbols);
        await it.connect(symbols.length);
        for (let round = 0; round < 4; round++) {
          await it.take(random(25));
          it.leave(round % 2 === 0);
          const away = random(3) * random(80);
          if (away > 0) await stayer.take(away, isData);
          await it.resume();
        }
        await it.take(20);
        it.leave();
        await expectTheSame(it, stayer, symbols);
        stayer.close();
      }
    },
  );

  test('gets order flow with the original side, method and absorption', async () => {
    const stayer = await staying(quiet, 'orderflow');
    const it = returning(quiet, 'orderflow', ['EURUSD', 'XAUUSD']);
    await it.connect(2);
    it.leave();
    await appendEvents(quiet, flowEvents(900, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    await it.resume();
    await it.take(600);
    await appendEvents(quiet, flowEvents(90, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    await it.take(60);
    await expectTheSame(it, stayer, ['EURUSD', 'XAUUSD']);
    const kinds = new Set(it.data.map((m) => [m.ask_volume === 0, m.absorption, m.side_method].join(' ')));
    expect(kinds.size).toBe(18);
  });

  test('gets tens of thousands of messages as fast as it reads, and is live after them', async () => {
    const stayer = await staying(busy, 'market');
    const it = returning(busy, 'market', ['EURUSD', 'XAUUSD']);
    await it.connect(2);
    it.leave(true);
    // Twice the size of the buffers of both sockets.
    await appendEvents(busy, tickEvents(100_000, ['EURUSD', 'XAUUSD']));
    await it.resume();
    await it.stall(300);
    // More than was published: the market went on while it read.
    await it.readSlowlyTo(busy.app.journal.lastSeq + 1_000);
    expect(it.data.length).toBeGreaterThan(100_000);
    // Neither `slow` nor `gap`: pending messages never waited in its socket.
    await expectTheSame(it, stayer, ['EURUSD', 'XAUUSD']);
  });

  test('gets nothing if nothing happened, not even a snapshot', async () => {
    const it = returning(quiet, 'market', ['EURUSD']);
    await it.connect(1);
    it.leave();
    await it.resume();
    await appendEvents(quiet, tickEvents(1));
    await it.take(1);
    expect(it.data).toMatchObject([{ prev: it.firstSeq, seq: quiet.app.journal.lastSeq }]);
  });

  test('during a burst gets each message once, with and without a position', async () => {
    // Without a subscriber nothing would be published.
    await staying(quiet, 'market');
    for (let round = 0; round < 20; round++) {
      const [stream, other] = [await staying(quiet, 'market'), await staying(quiet, 'market')];
      await stream.ask({ action: 'unsubscribe' });
      await other.ask({ action: 'unsubscribe' });
      const from = { epoch: quiet.app.journal.epoch, seq: quiet.app.journal.lastSeq };
      stream.send({ action: 'subscribe', symbols: ['EURUSD'], seq: true, resume_from: from });
      other.send({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
      // The first message is sent immediately, the next ones are delayed for a moment.
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

  test('need not request seq', async () => {
    const it = returning(quiet, 'market', ['EURUSD']);
    await it.connect(1);
    it.leave();
    const missed = tickEvents(20);
    await appendEvents(quiet, missed);
    const client = await raw();
    await client.ask({ action: 'subscribe', symbols: ['EURUSD'], resume_from: it.position });
    await client.until(() => client.messages.filter(isData).length >= 20, 'what it missed');
    const got = client.messages.filter(isData);
    expect(got.map(({ bid, volume, seq }) => [bid, volume, seq])).toEqual(
      missed.map(({ bid, volume }) => [bid, volume, undefined]),
    );
  });
});

describe('on one connection', () => {
  const position = () => ({ epoch: quiet.app.journal.epoch, seq: quiet.app.journal.lastSeq });
  const seqsOf = (client: RawClient, symbol: string): number[] =>
    client.messages.filter(ofSymbol(symbol)).map(({ seq }) => Number(seq));
  const seqsBetween = (stayer: StreamClient, symbol: string, from: number, to: number): number[] =>
    between(stayer, [symbol], from, to).map(({ seq }) => Number(seq));
  /** Publishes one more tick of each symbol and waits for those of these symbols: everything before them has arrived. */
  const settled = async (
    client: RawClient,
    stayer: StreamClient,
    symbols: readonly (typeof SYMBOLS)[number][],
  ): Promise<number> => {
    await appendEvents(quiet, tickEvents(SYMBOLS.length, SYMBOLS));
    const { lastSeq } = quiet.app.journal;
    const last = symbols.map((symbol) => lastSeq + 1 - SYMBOLS.length + SYMBOLS.indexOf(symbol));
    const seen = (seq: number): boolean => client.messages.some((message) => message.seq === seq);
    await client.until(() => last.every(seen), 'the last ticks');
    await stayer.next(({ seq }) => seq === lastSeq);
    return lastSeq;
  };
  const subscribe = (symbols: readonly string[], from?: object): Message => ({
    action: 'subscribe',
    symbols,
    seq: true,
    ...(from && { resume_from: from }),
  });

  test('a resume does not repeat existing subscriptions', async () => {
    const [stayer, from, client] = [await staying(quiet, 'market'), position(), await raw()];
    await client.ask(subscribe(['EURUSD', 'GBPUSD']));
    await appendEvents(quiet, tickEvents(300, ['EURUSD', 'XAUUSD', 'BTCUSD']));
    expect(await client.ask(subscribe(['EURUSD', 'XAUUSD'], from))).toMatchObject({
      symbols: ['EURUSD', 'GBPUSD', 'XAUUSD'],
      rejected: [],
    });
    const lastSeq = await settled(client, stayer, ['EURUSD', 'GBPUSD', 'XAUUSD']);
    // EURUSD comes with its initial snapshot.
    const snapshot = Number(seqsOf(client, 'EURUSD')[0]);
    expect(seqsOf(client, 'EURUSD')).toEqual([snapshot, ...seqsBetween(stayer, 'EURUSD', from.seq, lastSeq)]);
    expect(seqsOf(client, 'XAUUSD')).toEqual(seqsBetween(stayer, 'XAUUSD', from.seq, lastSeq));
    expectContinuity(client.messages.filter(isData));
  });

  test('two replays run at the same time, each from its own position', async () => {
    const stayer = await staying(quiet, 'market');
    const first = position();
    await appendEvents(quiet, tickEvents(6_000, SYMBOLS));
    const second = position();
    await appendEvents(quiet, tickEvents(6_000, SYMBOLS));
    const client = await raw();
    client.send(subscribe(['EURUSD', 'XAUUSD'], first));
    client.send(subscribe(['XAUUSD', 'BTCUSD', 'GBPUSD'], second));
    const lastSeq = await settled(client, stayer, ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD']);
    for (const [symbol, { seq }] of [['EURUSD', first] as const, ['XAUUSD', first], ['BTCUSD', second]] as const)
      expect(seqsOf(client, symbol)).toEqual(seqsBetween(stayer, symbol, seq, lastSeq));
    expect(client.messages.filter(({ event }) => event !== undefined && event !== 'subscribed')).toEqual([]);
  });

  test('a symbol can be unsubscribed during a replay and subscribed again, with and without resume_from', async () => {
    const stayer = await staying(quiet, 'market');
    const from = position();
    await appendEvents(quiet, tickEvents(30_000, SYMBOLS));
    const client = await raw();
    client.send(subscribe(['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD'], from));
    await client.until(() => seqsOf(client, 'BTCUSD').length > 0, 'the first of the replay');
    client.send({ action: 'unsubscribe', symbols: ['EURUSD', 'XAUUSD', 'USDJPY'] });
    await client.until(() => client.messages.some(isEvent('unsubscribed')), 'the answer');
    const off = client.messages.findIndex(isEvent('unsubscribed'));
    const last = Number(seqsOf(client, 'EURUSD').at(-1));
    // The replay was still far from its end.
    expect(last).toBeLessThan(quiet.app.journal.lastSeq - 3_000);
    await client.ask(subscribe(['EURUSD'], { ...from, seq: last }));
    await client.ask(subscribe(['XAUUSD']));
    const lastSeq = await settled(client, stayer, ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD']);
    for (const symbol of ['EURUSD', 'BTCUSD', 'GBPUSD'])
      expect(seqsOf(client, symbol)).toEqual(seqsBetween(stayer, symbol, from.seq, lastSeq));
    // XAUUSD: messages before the unsubscribe, then a snapshot, then live messages.
    const gold = client.messages.slice(off).filter(ofSymbol('XAUUSD'));
    expect(gold).toHaveLength(2);
    expect(gold[0]).toMatchObject({ volume: 0, seq: gold[1]!.prev });
  });

  test('the options of a symbol can be changed during its replay', async () => {
    const from = position();
    await appendEvents(quiet, tickEvents(20_000, ['EURUSD', 'GBPUSD']));
    const client = await raw();
    client.send(subscribe(['EURUSD', 'GBPUSD'], from));
    await client.until(() => seqsOf(client, 'GBPUSD').length > 0, 'the first of the replay');
    client.send({ action: 'subscribe', symbols: ['EURUSD'] });
    const bids = () => client.messages.filter(ofSymbol('EURUSD')).length;
    await client.until(() => bids() >= 10_000, 'the whole replay');
    await appendEvents(quiet, tickEvents(2, ['EURUSD', 'GBPUSD']));
    await client.until(() => seqsOf(client, 'GBPUSD').length > 10_000, 'what is live');
    expect(bids()).toBe(10_001);
    expect(client.messages.filter(ofSymbol('EURUSD')).at(-1)).not.toHaveProperty('seq');
    expectContinuity(client.messages.filter(ofSymbol('GBPUSD')));
  });
});
