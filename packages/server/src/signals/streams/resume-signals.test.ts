// Signal clients that resume: from memory, from the store, and across a restart.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { StreamPosition } from '@tickwire/contract';
import { expectContinuity } from '../../../testing/continuity.fixture.ts';
import { BUY, EURO, TestMarket, TestPublisher } from '../../../testing/publisher.fixture.ts';
import { textsOf } from '../../../testing/resuming-client.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { storeAndPublishSignals } from '../../../testing/stored-signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';
import type { AnySignalEvent } from '../../journal/journal.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as const;

let service: RunningService;
let key: string;
const events: AnySignalEvent[] = [];
/** More than memory keeps, and more than a few pages of the store. */
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
  events.push(...(await storeAndPublishSignals(service, 1_300, SYMBOLS)));
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(of = service, own = key): Promise<StreamClient> {
  const stream = await StreamClient.open(`${of.wsUrl}/ws/signals`, own);
  opened.push(stream);
  return stream;
}
async function epochOf(): Promise<string> {
  const stream = await open();
  return String((await stream.ask({ action: 'subscribe', seq: true })).epoch);
}
const resume = (from: StreamPosition, options: Message = {}): Message => ({
  action: 'subscribe',
  seq: true,
  resume_from: from,
  ...options,
});
/** What a client with these options must get after `seq`, with its own `prev`. */
function due(seq: number, options: { closes?: boolean; symbols?: readonly string[] }, epoch: string): Message[] {
  const { closes = false, symbols = SYMBOLS } = options;
  const last = new Map<string, number>();
  return events
    .filter(({ kind, symbol }) => symbols.includes(symbol) && (closes || kind === 'signal'))
    .map(({ signal, symbol, n }) => {
      const prev = last.get(symbol) ?? 0;
      last.set(symbol, n);
      return { ...signal, seq: n, prev, epoch };
    })
    .filter((message) => message.seq > seq);
}

describe('a client that resumes', () => {
  const newest = (): number => events.at(-1)!.n;

  test.each([
    ['the beginning', () => 0],
    ['before the oldest in memory', () => newest() - 1_500],
    ['the last one not in memory', () => newest() - 1_024],
    ['one in memory', () => newest() - 700],
    ['the newest but one', () => newest() - 1],
    ['the newest', () => newest()],
  ])('from %s gets everything after it, once, in order, in its own chain', async (_, from) => {
    const epoch = await epochOf();
    const seq = from();
    for (const options of [{}, { closes: true }, { symbols: ['XAUUSD'] }, { symbols: ['BTCUSD'], closes: true }]) {
      const stream = await open();
      await stream.ask(resume({ epoch, seq }, options));
      const expected = due(seq, options, epoch);
      const data = await stream.take(expected.length, isData);
      expect(textsOf(data)).toEqual(textsOf(expected));
      // Live from here on: nothing came twice, and nothing is missing.
      const more = await storeAndPublishSignals(service, 3, SYMBOLS);
      events.push(...more);
      const live = due(seq, options, epoch).slice(expected.length);
      expect(textsOf(await stream.take(live.length, isData))).toEqual(textsOf(live));
      await stream.ask({ action: 'ping' });
      expect(stream.messages.filter(isData)).toHaveLength(expected.length + live.length);
      expect(stream.messages.some(isEvent('gap'))).toBe(false);
      stream.close();
    }
  });

  test('while signals are published gets each of them once', async () => {
    const epoch = await epochOf();
    const streams = await Promise.all(Array.from({ length: 6 }, () => open()));
    let announcing = true;
    const desk = (async () => {
      while (announcing) {
        events.push(...(await storeAndPublishSignals(service, 7, SYMBOLS)));
        await Bun.sleep(1);
      }
    })();
    const starts = streams.map((_, at) => Math.max(0, newest() - at * 450));
    for (const [at, stream] of streams.entries()) {
      stream.send(resume({ epoch, seq: starts[at]! }, { closes: at % 2 === 0 }));
      await Bun.sleep(3);
    }
    const caughtUp = newest();
    for (const stream of streams) await stream.next(({ seq }) => Number(seq) >= caughtUp - 1);
    announcing = false;
    await desk;
    for (const [at, stream] of streams.entries()) {
      const expected = due(starts[at]!, { closes: at % 2 === 0 }, epoch);
      const { seq: last } = expected.at(-1)!;
      if (!stream.messages.some(({ seq }) => seq === last)) await stream.next(({ seq }) => seq === last);
      expect(textsOf(stream.messages.filter(isData))).toEqual(textsOf(expected));
    }
  });

  test('can unsubscribe and subscribe symbols during the replay', async () => {
    const epoch = await epochOf();
    const stream = await open();
    stream.send(resume({ epoch, seq: 0 }));
    stream.send({ action: 'unsubscribe', symbols: ['EURUSD'], id: 'off' });
    await stream.next(({ id }) => id === 'off');
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    const others = { symbols: ['XAUUSD', 'BTCUSD'] };
    const wanted = ({ symbol }: Message): boolean => others.symbols.includes(String(symbol));
    const expected = due(0, others, epoch);
    expect(textsOf(await stream.take(expected.length, wanted))).toEqual(textsOf(expected));
    events.push(...(await storeAndPublishSignals(service, 1, ['EURUSD'])));
    const last = due(0, { symbols: ['EURUSD'] }, epoch).at(-1)!;
    expect(await stream.next(({ symbol }) => symbol === 'EURUSD')).toEqual(last);
  });

  test.each([
    ['another log', () => ({ epoch: 'log_0000000000000000', seq: 1 })],
    ['a number beyond the newest', async () => ({ epoch: await epochOf(), seq: newest() + 1 })],
  ])('from %s gets a gap notice and is live', async (_, from) => {
    const stream = await open();
    const position = await from();
    await stream.ask(resume(position, { symbols: ['EURUSD'] }));
    await stream.ask({ action: 'ping' });
    expect(stream.messages[1]).toEqual({
      event: 'gap',
      reason: 'resume',
      symbols: ['EURUSD'],
      ...(position.seq < newest() && { from_seq: position.seq + 1, to_seq: newest() }),
      fill: '/api/signals?status=all&limit=500',
    });
    expect(stream.messages).toHaveLength(3);
    events.push(...(await storeAndPublishSignals(service, 1, ['EURUSD'])));
    expect((await stream.next(isData)).seq).toBe(newest() - 1);
  });
});

test('a client resumes across a restart, with all signals from before and from the time without clients, in one epoch', async () => {
  const data = temporaryFolder();
  const first = await startService({ feeds: 'push', data });
  const publisher = await TestPublisher.of(first);
  const market = await TestMarket.of(first);
  await market.quote(...EURO);
  const own = publisher.issued.key;
  const [plain, closes] = [await open(first, own), await open(first, own)];
  const { epoch } = await plain.ask({ action: 'subscribe', seq: true });
  await closes.ask({ action: 'subscribe', seq: true, closes: true });
  const { id } = await publisher.published(BUY);
  await publisher.published(BUY);
  const seen = [await plain.take(1, isData), await closes.take(1, isData)].map(([message]) => message!);
  const missed = [...(await plain.take(1, isData)), ...(await closes.take(1, isData))];
  await publisher.closed(id, market);
  const closing = await closes.next(isData);
  expect(missed[0]).toEqual(missed[1]!);
  await first.stop();

  const second = await startService({ feeds: 'push', data });
  const again = new TestPublisher(second, publisher.issued);
  const later = await TestMarket.of(second);
  await later.quote(...EURO);
  // No client is connected.
  const { id: third } = await again.published(BUY);
  const [plainAgain, closesAgain] = [await open(second, own), await open(second, own)];
  expect(await plainAgain.ask(resume({ epoch: String(epoch), seq: Number(seen[0]!.seq) }))).toMatchObject({ epoch });
  await closesAgain.ask(resume({ epoch: String(epoch), seq: Number(seen[1]!.seq) }, { closes: true }));
  await again.published(BUY);
  await again.closed(third, later);
  const messages = await plainAgain.take(3, isData);
  const everything = await closesAgain.take(5, isData);
  expect(messages[0]).toEqual(missed[0]!);
  expect(everything.slice(0, 2)).toEqual([missed[1]!, closing]);
  expect(messages[1]).toMatchObject({ id: third, prev: missed[0]!.seq });
  expect(everything[4]).toMatchObject({ id: third, status: 'closed' });
  expectContinuity([seen[0]!, ...messages]);
  expectContinuity([seen[1]!, ...everything]);
  for (const stream of [plainAgain, closesAgain]) {
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter((message) => !isData(message)).map(({ event }) => event)).toEqual([
      'subscribed',
      'pong',
    ]);
  }
  await second.stop();
  rmSync(data, { recursive: true, force: true });
});
