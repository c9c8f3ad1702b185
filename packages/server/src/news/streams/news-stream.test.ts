// /ws/news over a real socket: which client is sent which items, and their continuity.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type NewsDetail, NewsPublished, NewsRevised } from '@tickwire/contract';
import { expectClientContinuity } from '../../../testing/continuity.fixture.ts';
import { newsEvent } from '../../../testing/news.fixture.ts';
import { TestWire } from '../../../testing/newswire.fixture.ts';
import { type RunningService, startService } from '../../../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

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
/** Publishes items with these ids. */
function publish(...items: Partial<NewsDetail>[]): string[] {
  const events = items.map((changes) => newsEvent(changes.id ?? `n${count++}`, changes));
  for (const event of events) service.app.journal.append([event]);
  return events.map(({ item }) => item.id);
}
/** Ids of all items sent so far: the answer to a ping comes after them. */
async function ids(stream: StreamClient): Promise<unknown[]> {
  await stream.ask({ action: 'ping' });
  return stream.messages.filter(isData).map(({ id }) => id);
}

describe('a subscription', () => {
  test('without symbols gets everything, including items without an instrument', async () => {
    const [all, star] = [await subscribed(), await subscribed({ symbols: ['*'] })];
    const sent = publish({ symbols: ['XAUUSD'] }, { symbols: [] }, { symbols: ['NOSUCH', 'EURUSD'] });
    expect(await ids(all)).toEqual(sent);
    expect(await ids(star)).toEqual(sent);
  });

  test('with symbols gets items that mention one of them, once', async () => {
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

  test('is answered with the whole current set and unknown symbols; "*" means everything', async () => {
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

  test('starts with the next item; earlier ones are in the feed', async () => {
    publish({ symbols: ['XAUUSD'] });
    const stream = await subscribed();
    expect(await ids(stream)).toEqual([]);
  });

  test('gets nothing after an unsubscribe; removing one symbol of two keeps the other', async () => {
    const [none, one] = [await subscribed(), await subscribed({ symbols: ['EURUSD', 'XAUUSD'] })];
    await none.ask({ action: 'unsubscribe' });
    await one.ask({ action: 'unsubscribe', symbols: ['eurusd'] });
    const sent = publish({ symbols: ['EURUSD'] }, { symbols: ['XAUUSD'] });
    expect([await ids(none), await ids(one)]).toEqual([[], [sent[1]]]);
  });

  test('with only unknown symbols gets nothing', async () => {
    const stream = await subscribed({ symbols: ['NOSUCH'] });
    publish({ symbols: ['NOSUCH'] }, { symbols: [] });
    expect(await ids(stream)).toEqual([]);
  });
});

describe('a message', () => {
  test('is the whole item by its schema, and marks a revision', async () => {
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

  test('is not sent for one more source of an item', async () => {
    const stream = await subscribed();
    publish({ id: 'clustered' });
    service.app.journal.append([{ kind: 'news_cluster', id: 'clustered', cluster: 2 }]);
    expect(await ids(stream)).toEqual(['clustered']);
  });
});

describe('continuity', () => {
  test('seq rises over the channel, and prev is the previous item of the client', async () => {
    const clients = await Promise.all([
      subscribed({ seq: true }),
      subscribed({ seq: true, symbols: ['EURUSD'] }),
      subscribed({ seq: true, symbols: ['XAUUSD', 'EURUSD'] }),
    ]);
    const plain = await subscribed();
    for (let round = 0; round < 5; round++)
      publish({ symbols: ['EURUSD'] }, { symbols: [] }, { symbols: ['XAUUSD'] }, { symbols: ['XAUUSD', 'EURUSD'] });
    const counts = await Promise.all(clients.map(async (stream) => (await ids(stream)).length));
    expect(counts).toEqual([20, 10, 15]);
    const seqOf = new Map<unknown, unknown>();
    for (const { messages } of clients) {
      expectClientContinuity(messages.filter(isData));
      for (const { id, seq, epoch } of messages.filter(isData)) {
        expect([seqOf.get(id) ?? seq, epoch]).toEqual([seq, service.app.journal.epoch]);
        seqOf.set(id, seq);
      }
    }
    expect(await ids(plain)).toHaveLength(20);
    for (const message of plain.messages.filter(isData)) expect(Object.keys(message)).not.toContain('seq');
  });

  test('the answer to a subscription with seq names the epoch', async () => {
    const stream = await open();
    const { epoch } = await stream.ask({ action: 'subscribe', seq: true });
    expect(epoch).toBe(service.app.journal.epoch);
    expect(await stream.ask({ action: 'subscribe' })).not.toHaveProperty('epoch');
  });

  test('adding a symbol does not break the chain; a new subscription starts one', async () => {
    const stream = await subscribed({ seq: true, symbols: ['EURUSD'] });
    publish({ symbols: ['EURUSD'] });
    await stream.ask({ action: 'subscribe', symbols: ['XAUUSD'], seq: true });
    publish({ symbols: ['XAUUSD'] });
    const data = await stream.take(1, isData);
    await stream.ask({ action: 'ping' });
    expectClientContinuity(stream.messages.filter(isData));
    expect(data).toHaveLength(1);
    await stream.ask({ action: 'unsubscribe' });
    await stream.ask({ action: 'subscribe', seq: true });
    publish({});
    expect((await stream.next(isData)).prev).toBe(0);
  });
});

describe('connections', () => {
  test('a closed one is removed, and the others continue', async () => {
    const [leaving, staying] = [await subscribed(), await subscribed()];
    leaving.close();
    await leaving.closed;
    const sent = publish({}, {});
    expect(await ids(staying)).toEqual(sent);
  });

  test('get an ingested item with its score', async () => {
    const stream = await subscribed({ symbols: ['XAUUSD'] });
    const wire = await TestWire.of(service);
    // The first headline also loads the model.
    await wire.send({ title: 'Bitcoin slides below support' });
    await wire.shows('Bitcoin slides below support');
    await wire.send({ title: 'Gold soars to an all-time high', id: 'pushed' }, { title: 'Euro slips before the ECB' });
    const message = await stream.next(isData);
    expect(message).toMatchObject({
      title: 'Gold soars to an all-time high',
      sentiment: 'bullish',
      symbols: ['XAUUSD'],
    });
    await wire.send({ title: 'Gold soars to an all-time high, then slips', id: 'pushed' });
    expect(await stream.next(isData)).toMatchObject({ id: message.id, revision: 1, revised: true });
    // It is stored and in the feed when it is sent.
    expect((await wire.items()).find(({ id }) => id === message.id)).toMatchObject({ revision: 1 });
  });

  test('are notified of a stop', async () => {
    const stopping = await startService({ feeds: 'push' });
    const stream = await StreamClient.open(`${stopping.wsUrl}/ws/news`, (await stopping.key()).key);
    await stream.ask({ action: 'subscribe' });
    await stopping.stop();
    expect((await stream.closed).code).toBe(1012);
    expect(stream.messages.at(-1)).toEqual({ event: 'shutdown' });
  });
});
