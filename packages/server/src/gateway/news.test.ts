// /ws/news over a real socket: who is sent which items, and in which continuity.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type NewsDetail, NewsPublished, NewsRevised } from '@tickwire/contract';
import { expectReaderChain } from '../testing/chain.fixture.ts';
import { newsEvent } from '../testing/news.fixture.ts';
import { TestWire } from '../testing/newswire.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/news`, key);
  opened.push(stream);
  return stream;
}
async function subscribed(message: Message = {}): Promise<StreamClient> {
  const stream = await open();
  await stream.ask({ action: 'subscribe', ...message });
  return stream;
}
let count = 0;
/** Published items, by their ids. */
function publish(...items: Partial<NewsDetail>[]): string[] {
  const events = items.map((changes) => newsEvent(changes.id ?? `n${count++}`, changes));
  for (const event of events) service.app.journal.append([event]);
  return events.map(({ item }) => item.id);
}
/** Ids of the items a stream was sent: all of them, since its answer to a ping comes after. */
async function ids(stream: StreamClient): Promise<unknown[]> {
  await stream.ask({ action: 'ping' });
  return stream.messages.filter(isData).map(({ id }) => id);
}

describe('a subscription', () => {
  test('without symbols takes in everything, items of no instrument too', async () => {
    const [all, star] = [await subscribed(), await subscribed({ symbols: ['*'] })];
    const sent = publish({ symbols: ['XAUUSD'] }, { symbols: [] }, { symbols: ['NOSUCH', 'EURUSD'] });
    expect(await ids(all)).toEqual(sent);
    expect(await ids(star)).toEqual(sent);
  });

  test('with symbols takes in what mentions one of them, once', async () => {
    const stream = await subscribed({ symbols: ['eurusd', 'XAUUSD'] });
    const sent = publish(
      { symbols: ['XAUUSD'] },
      { symbols: [] },
      { symbols: ['BTCUSD'] },
      { symbols: ['EURUSD', 'XAUUSD'] },
      { symbols: ['BTCUSD', 'EURUSD'] },
    );
    expect(await ids(stream)).toEqual([sent[0], sent[3], sent[4]]);
  });

  test('is told the whole current set and what is unknown; "*" stands for everything', async () => {
    const stream = await open();
    const ask = async (action: string, symbols?: string[]): Promise<unknown[]> => {
      const { event, symbols: set, rejected } = await stream.ask({ action, ...(symbols && { symbols }) });
      return [event, set, (rejected as { symbol: string }[]).map(({ symbol }) => symbol)];
    };
    expect(await ask('subscribe', ['NOSUCH', 'nosuch', 'NOSUCH'])).toEqual(['subscribed', [], ['NOSUCH', 'nosuch']]);
    expect(await ask('subscribe', ['xauusd'])).toEqual(['subscribed', ['XAUUSD'], []]);
    expect(await ask('subscribe')).toEqual(['subscribed', ['*', 'XAUUSD'], []]);
    expect(await ask('unsubscribe', ['XAUUSD', 'NOSUCH'])).toEqual(['unsubscribed', ['*'], ['NOSUCH']]);
    expect(await ask('list')).toEqual(['subscriptions', ['*'], []]);
    expect(await ask('unsubscribe', ['*'])).toEqual(['unsubscribed', [], []]);
    expect(await ask('subscribe', ['EURUSD', 'BTCUSD'])).toEqual(['subscribed', ['EURUSD', 'BTCUSD'], []]);
    expect(await ask('unsubscribe')).toEqual(['unsubscribed', [], []]);
    expect(await ask('unsubscribe', ['EURUSD'])).toEqual(['unsubscribed', [], []]);
    expect(await ask('list')).toEqual(['subscriptions', [], []]);
  });

  test('starts with what comes next, not with what was: the feed has that', async () => {
    publish({ symbols: ['XAUUSD'] });
    const stream = await subscribed();
    expect(await ids(stream)).toEqual([]);
  });

  test('that is taken off again gets nothing more; one symbol of two leaves the other', async () => {
    const [none, one] = [await subscribed(), await subscribed({ symbols: ['EURUSD', 'XAUUSD'] })];
    await none.ask({ action: 'unsubscribe' });
    await one.ask({ action: 'unsubscribe', symbols: ['eurusd'] });
    const sent = publish({ symbols: ['EURUSD'] }, { symbols: ['XAUUSD'] });
    expect([await ids(none), await ids(one)]).toEqual([[], [sent[1]]]);
  });

  test('with unknown symbols alone takes in nothing, not everything', async () => {
    const stream = await subscribed({ symbols: ['NOSUCH'] });
    publish({ symbols: ['NOSUCH'] }, { symbols: [] });
    expect(await ids(stream)).toEqual([]);
  });
});

describe('a message', () => {
  test('is the whole item by its schema; a revision says that it is one', async () => {
    const stream = await subscribed();
    publish({ id: 'item' }, { id: 'item', title: 'Updated', revision: 1 });
    const [first, second] = await stream.take(2, isData);
    expect(NewsPublished.strict().parse(first)).toEqual(newsEvent('item').item);
    expect(first).not.toHaveProperty('revised');
    expect(NewsRevised.strict().parse(second)).toEqual({
      ...newsEvent('item', { title: 'Updated', revision: 1 }).item,
      revised: true,
    });
  });

  test('one more source of an item is none', async () => {
    const stream = await subscribed();
    publish({ id: 'clustered' });
    service.app.journal.append([{ kind: 'news_cluster', id: 'clustered', cluster: 2 }]);
    expect(await ids(stream)).toEqual(['clustered']);
  });
});

describe('continuity', () => {
  test('seq rises over the channel, prev goes by the reader: each has lost nothing by its own chain', async () => {
    const readers = await Promise.all([
      subscribed({ seq: true }),
      subscribed({ seq: true, symbols: ['EURUSD'] }),
      subscribed({ seq: true, symbols: ['XAUUSD', 'EURUSD'] }),
    ]);
    const plain = await subscribed();
    for (let round = 0; round < 5; round++)
      publish({ symbols: ['EURUSD'] }, { symbols: [] }, { symbols: ['XAUUSD'] }, { symbols: ['XAUUSD', 'EURUSD'] });
    const counts = await Promise.all(readers.map(async (stream) => (await ids(stream)).length));
    expect(counts).toEqual([20, 10, 15]);
    const seqOf = new Map<unknown, unknown>();
    for (const { messages } of readers) {
      expectReaderChain(messages.filter(isData));
      for (const { id, seq, epoch } of messages.filter(isData)) {
        expect([seqOf.get(id) ?? seq, epoch]).toEqual([seq, service.app.journal.epoch]);
        seqOf.set(id, seq);
      }
    }
    expect(await ids(plain)).toHaveLength(20);
    for (const message of plain.messages.filter(isData)) expect(Object.keys(message)).not.toContain('seq');
  });

  test('the answer to a numbered subscription names the epoch', async () => {
    const stream = await open();
    const { epoch } = await stream.ask({ action: 'subscribe', seq: true });
    expect(epoch).toBe(service.app.journal.epoch);
    expect(await stream.ask({ action: 'subscribe' })).not.toHaveProperty('epoch');
  });

  test('another symbol does not break the chain; a new subscription begins one', async () => {
    const stream = await subscribed({ seq: true, symbols: ['EURUSD'] });
    publish({ symbols: ['EURUSD'] });
    await stream.ask({ action: 'subscribe', symbols: ['XAUUSD'], seq: true });
    publish({ symbols: ['XAUUSD'] });
    const data = await stream.take(1, isData);
    await stream.ask({ action: 'ping' });
    expectReaderChain(stream.messages.filter(isData));
    expect(data).toHaveLength(1);
    await stream.ask({ action: 'unsubscribe' });
    await stream.ask({ action: 'subscribe', seq: true });
    publish({});
    expect((await stream.next(isData)).prev).toBe(0);
  });
});

describe('readers come and go', () => {
  test('one that closed is forgotten, and the others go on', async () => {
    const [leaving, staying] = [await subscribed(), await subscribed()];
    leaving.close();
    await leaving.closed;
    const sent = publish({}, {});
    expect(await ids(staying)).toEqual(sent);
  });

  test('what was sent in over the wire is pushed to its readers, scored, before a second has passed', async () => {
    const stream = await subscribed({ symbols: ['XAUUSD'] });
    const wire = await TestWire.of(service);
    const at = performance.now();
    await wire.send({ title: 'Gold soars to an all-time high', id: 'pushed' }, { title: 'Euro slips before the ECB' });
    const message = await stream.next(isData);
    expect(performance.now() - at).toBeLessThan(1_000);
    expect(message).toMatchObject({
      title: 'Gold soars to an all-time high',
      sentiment: 'bullish',
      symbols: ['XAUUSD'],
    });
    await wire.send({ title: 'Gold soars to an all-time high, then slips', id: 'pushed' });
    expect(await stream.next(isData)).toMatchObject({ id: message.id, revision: 1, revised: true });
    // Stored and in the feed by the time it is told.
    expect((await wire.items()).find(({ id }) => id === message.id)).toMatchObject({ revision: 1 });
  });

  test('a stop tells its readers', async () => {
    const stopping = await startService({ feeds: 'push' });
    const stream = await StreamClient.open(`${stopping.wsUrl}/ws/news`, (await stopping.key()).key);
    await stream.ask({ action: 'subscribe' });
    await stopping.stop();
    expect((await stream.closed).code).toBe(1012);
    expect(stream.messages.at(-1)).toEqual({ event: 'shutdown' });
  });
});
