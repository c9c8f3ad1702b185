// News clients that resume get the items they missed; a gap is declared if a run no longer has them.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { NewsDetail, StreamPosition } from '@tickwire/contract';
import { expectClientContinuity } from '../../../testing/continuity.fixture.ts';
import { newsEvent } from '../../../testing/news.fixture.ts';
import { TestWire } from '../../../testing/newswire.fixture.ts';
import { RawClient } from '../../../testing/raw-client.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

const KEPT = 1_024;
let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
async function open(of = service, own = key): Promise<StreamClient> {
  const stream = await StreamClient.open(`${of.wsUrl}/ws/news`, own);
  opened.push(stream);
  return stream;
}
let count = 0;
const publish = (symbols: readonly string[], changes: Partial<NewsDetail> = {}): void =>
  service.app.journal.append([newsEvent(`n${count++}`, { symbols: [...symbols], ...changes })]);
const here = (): StreamPosition => ({ epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq });
const resume = (from: object, options: Message = {}): Message => ({
  action: 'subscribe',
  seq: true,
  resume_from: from,
  ...options,
});
/** All items sent so far: the answer to a ping comes after them. */
async function all(stream: StreamClient): Promise<Message[]> {
  await stream.ask({ action: 'ping' });
  return stream.messages.filter(isData);
}

describe('a client that resumes', () => {
  test.each([
    ['all items', {}],
    ['one symbol', { symbols: ['XAUUSD'] }],
    ['two symbols', { symbols: ['EURUSD', 'XAUUSD'] }],
  ])('of %s gets the items it missed and continues, in one chain', async (_, options) => {
    const stayer = await open();
    const first = await open();
    for (const stream of [stayer, first]) await stream.ask({ action: 'subscribe', seq: true, ...options });
    const some = (): void => {
      for (let round = 0; round < 20; round++)
        for (const symbols of [['EURUSD'], [], ['XAUUSD'], ['XAUUSD', 'EURUSD'], ['BTCUSD']]) publish(symbols);
    };
    some();
    const before = await all(first);
    first.close();
    const { seq, epoch } = before.at(-1)!;
    some();
    publish(['XAUUSD'], { id: 'n0', revision: 1, title: 'Updated' });
    const second = await open();
    await second.ask(resume({ epoch, seq }, options));
    some();
    const everything = await all(stayer);
    // A replay takes several turns, and a ping is answered between them.
    await second.next(({ seq }) => seq === everything.at(-1)!.seq);
    const after = second.messages.filter(isData);
    expect([...before, ...after]).toEqual(everything);
    expectClientContinuity([...before, ...after]);
    expect(after.some(({ revised }) => revised === true)).toBe(true);
    expect(second.messages.some(isEvent('gap'))).toBe(false);
  });

  test('from the oldest item in memory gets everything, while new items arrive', async () => {
    const from = here();
    const long = { title: 'x'.repeat(2_000) };
    for (let at = 0; at < KEPT - 100; at++) publish([], long);
    const client = await RawClient.open(service, 'news', key);
    opened.push({ close: () => client.leave(true) });
    client.send(resume(from));
    await client.until(() => client.messages.some(isData), 'the first');
    for (let at = 0; at < 50; at++) publish([], long);
    const { seq } = here();
    await client.first((message) => message.seq === seq);
    publish([]);
    await client.first((message) => message.seq === here().seq);
    const data = client.messages.filter(isData);
    expect(data).toHaveLength(KEPT - 49);
    expect(data[0]!.prev).toBe(from.seq);
    expectClientContinuity(data);
  });

  test('and unsubscribes during the replay gets no more items', async () => {
    const from = here();
    for (let at = 0; at < 800; at++) publish([], { title: 'x'.repeat(2_000) });
    const stream = await open();
    stream.send(resume(from));
    await stream.next(isData);
    await stream.ask({ action: 'unsubscribe' });
    const { length } = stream.messages;
    expect(length).toBeLessThan(800);
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    publish(['EURUSD']);
    publish(['XAUUSD']);
    await stream.ask({ action: 'ping' });
    expect(stream.messages.slice(length).filter(isData)).toMatchObject([{ seq: here().seq - 1, prev: 0 }]);
  });

  test('while it is already subscribed is rejected, because it would get items twice', async () => {
    const from = here();
    publish(['EURUSD']);
    const stream = await open();
    await stream.ask(resume(from, { symbols: ['EURUSD'] }));
    expect(await stream.ask(resume(from, { symbols: ['XAUUSD'] }))).toMatchObject({
      event: 'error',
      code: 'invalid_message',
      fatal: false,
    });
    publish(['EURUSD', 'XAUUSD']);
    publish(['XAUUSD']);
    const data = await all(stream);
    expect(data).toHaveLength(2);
    expectClientContinuity(data);
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: ['EURUSD'] });
  });
});

describe('a gap is declared for', () => {
  test.each([
    ['a position older than the ring', () => ({ ...here(), seq: here().seq - KEPT - 1 })],
    ['a position of another epoch', () => ({ epoch: 'ffffffffffff', seq: 3 })],
    ['a seq beyond the newest', () => ({ ...here(), seq: here().seq + 1 })],
  ])('%s', async (_, from) => {
    for (let at = 0; at <= KEPT; at++) publish([]);
    const position = from();
    const stream = await open();
    await stream.ask(resume(position, { symbols: ['EURUSD', 'XAUUSD'] }));
    publish(['EURUSD']);
    const data = await all(stream);
    expect(stream.messages[1]).toEqual({
      event: 'gap',
      reason: 'resume',
      symbols: ['EURUSD', 'XAUUSD'],
      ...(position.seq < here().seq - 1 && { from_seq: position.seq + 1, to_seq: here().seq - 1 }),
      fill: '/api/news?detail=true&limit=200&since={since}',
    });
    expect(data).toMatchObject([{ seq: here().seq }]);
  });

  test('a restart, with the endpoint that has the items', async () => {
    const data = temporaryFolder();
    const first = await startService({ feeds: 'push', data });
    const wire = await TestWire.of(first);
    const { key: own } = await first.key('premium');
    const stream = await open(first, own);
    const { epoch } = await stream.ask({ action: 'subscribe', seq: true });
    const since = Math.floor(Date.now() / 1000) - 1;
    await wire.send({ title: 'Gold soars to an all-time high' });
    const { seq, id } = await stream.next(isData);
    await first.stop();
    const second = await startService({ feeds: 'push', data });
    const again = await open(second, own);
    expect((await again.ask(resume({ epoch, seq }))).epoch).not.toBe(epoch);
    const gap = await again.next(isEvent('gap'));
    expect(gap).toMatchObject({ reason: 'resume', symbols: ['*'], from_seq: Number(seq) + 1 });
    const fill = String(gap.fill).replace('{since}', String(since));
    const answer = await fetch(second.url + fill, { headers: { 'X-API-Key': own } });
    const { items } = (await answer.json()) as { items: { id: string }[] };
    expect(items.map((item) => item.id)).toEqual([String(id)]);
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  });
});
