// `/ws`: all channels on one connection. Its messages are those of the single channels, and name their channel.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Notice, STREAM_CHANNELS, type StreamChannel, type StreamPosition } from '@tickwire/contract';
import { revoke } from '../../testing/access.fixture.ts';
import { alertEvent } from '../../testing/alerts.fixture.ts';
import { flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { BTC_PERPETUAL, figuresEvent, liquidationEvent, withPerpetuals } from '../../testing/perpetual.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { storeAndPublishSignals } from '../../testing/stored-signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD'];
const ENDPOINTS: Readonly<Record<StreamChannel, string>> = {
  market: 'market',
  bars: 'market',
  orderflow: 'orderflow',
  footprint: 'orderflow',
  perpetual: 'perpetual',
  signals: 'signals',
  news: 'news',
  alerts: 'alerts',
};

let service: RunningService;
let key: string;
let account: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', max_subscriptions: '20', ...withPerpetuals() });
  const issued = await service.key('premium');
  ({ key } = issued);
  account = issued.account.publicId;
  // From here on the feed is known to have trades.
  await happen();
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(path = '/ws', own: string | null = key): Promise<StreamClient> {
  const stream = await StreamClient.open(service.wsUrl + path, own ?? undefined);
  opened.push(stream);
  return stream;
}

let made = 0;
/** Something on every channel. */
async function happen(): Promise<void> {
  const { journal } = service.app;
  journal.append([...tickEvents(6, SYMBOLS), ...flowEvents(6, SYMBOLS), figuresEvent(), liquidationEvent()]);
  await storeAndPublishSignals(service, 3, SYMBOLS);
  for (let at = 0; at < 3; at++) {
    const id = `n${made++}`;
    journal.append([newsEvent(id, { symbols: ['EURUSD'] }), alertEvent(`f${id}`, {}, account)]);
  }
}

const subscription = (channel: StreamChannel, options: Message = {}): Message => ({
  action: 'subscribe',
  channel,
  symbols: channel === 'perpetual' ? [BTC_PERPETUAL] : SYMBOLS,
  seq: true,
  ...((channel === 'bars' || channel === 'footprint') && { timeframe: '1m' }),
  ...(channel === 'signals' && { closes: true }),
  ...options,
});
const of =
  (channel: string) =>
  (message: Message): boolean =>
    message.channel === channel;
const dataOf = (stream: StreamClient, channel: string): Message[] =>
  stream.messages.filter((message) => isData(message) && of(channel)(message));
/** Until everything that was sent before has arrived. */
const settled = (stream: StreamClient): Promise<Message> => stream.ask({ action: 'ping' });

describe('each channel', () => {
  test('has the same messages as its own endpoint, in the same order, with its name in front', async () => {
    const all = await open();
    const single = new Map<StreamChannel, StreamClient>();
    for (const channel of STREAM_CHANNELS) {
      const own = await open(`/ws/${ENDPOINTS[channel]}`);
      const { channel: name, ...request } = subscription(channel, { ms: channel === 'market' });
      await own.ask(ENDPOINTS[channel] === channel ? request : { ...request, channel: name });
      await all.ask(subscription(channel, { ms: channel === 'market' }));
      single.set(channel, own);
    }
    await happen();
    for (const [channel, own] of single) {
      await settled(own);
      await settled(all);
      const expected = own.messages.filter(isData).map(({ channel: _, ...message }) => ({ channel, ...message }));
      // As text: the order of the fields counts, too.
      expect(dataOf(all, channel).map((each) => JSON.stringify(each))).toEqual(
        expected.map((each) => JSON.stringify(each)),
      );
      expect([channel, expected.length]).not.toEqual([channel, 0]);
    }
    for (const notice of all.messages.filter((message) => !isData(message)))
      expect(Notice.parse(notice)).toStrictEqual(notice as never);
  });

  test('has a set of its own, and leaves the others as they are', async () => {
    const stream = await open();
    await stream.ask(subscription('market'));
    const bars = await stream.ask(subscription('bars', { seq: false }));
    expect(bars).toEqual({
      event: 'subscribed',
      channel: 'bars',
      symbols: [],
      bars: [{ timeframe: '1m', symbols: SYMBOLS }],
      rejected: [],
      id: expect.any(String),
    });
    await stream.ask(subscription('news', { symbols: undefined }));
    expect(await stream.ask({ action: 'unsubscribe', channel: 'bars' })).toMatchObject({
      event: 'unsubscribed',
      channel: 'bars',
      symbols: [],
    });
    const listed = async (channel: string) => (await stream.ask({ action: 'list', channel })) as Message;
    expect(await listed('market')).toMatchObject({ event: 'subscriptions', channel: 'market', symbols: SYMBOLS });
    expect(await listed('bars')).not.toHaveProperty('bars');
    expect(await listed('news')).toMatchObject({ symbols: ['*'] });
    expect(await listed('alerts')).toMatchObject({ channel: 'alerts', symbols: [] });
    const seen = stream.messages.length;
    await happen();
    await settled(stream);
    const channels = new Set(
      stream.messages
        .slice(seen)
        .filter(isData)
        .map(({ channel }) => channel),
    );
    expect([...channels].sort()).toEqual(['market', 'news']);
  });

  test('resumes at its own position after a reconnect, without holes or duplicates', async () => {
    const channels = STREAM_CHANNELS.filter((channel) => channel !== 'footprint');
    const reference = await open();
    for (const channel of channels) await reference.ask(subscription(channel));
    const first = await open();
    const positions = new Map<StreamChannel, StreamPosition>();
    for (const channel of channels) {
      const { epoch, seq } = await first.ask(subscription(channel));
      positions.set(channel, { epoch, seq } as StreamPosition);
    }
    await happen();
    await settled(first);
    first.close();
    const received = new Map(channels.map((channel) => [channel, dataOf(first, channel)]));
    for (const [channel, messages] of received)
      for (const { epoch, seq } of messages)
        if (Number(seq) >= positions.get(channel)!.seq) positions.set(channel, { epoch, seq } as StreamPosition);
    await happen();
    const second = await open();
    for (const channel of channels)
      await second.ask(subscription(channel, { resume_from: positions.get(channel) as unknown as Message }));
    await happen();
    await settled(second);
    await settled(reference);
    expect(second.messages.filter(isEvent('gap'))).toEqual([]);
    for (const channel of channels) {
      const expected = dataOf(reference, channel);
      const got = [...received.get(channel)!, ...dataOf(second, channel)];
      // A replay has the closed bars, and not every state of the forming one.
      if (channel === 'bars')
        expect(got.at(-1)).toMatchObject({ seq: expected.at(-1)!.seq, close: expected.at(-1)!.close });
      else expect([channel, got.map(({ seq }) => seq)]).toEqual([channel, expected.map(({ seq }) => seq)]);
    }
  });

  test('sends heartbeats of its own', async () => {
    const stream = await open();
    await stream.ask(subscription('market', { heartbeat: 1 }));
    await stream.ask(subscription('signals', { heartbeat: 1 }));
    const [market, signals] = [
      await stream.next((message) => isEvent('heartbeat')(message) && of('market')(message)),
      await stream.next((message) => isEvent('heartbeat')(message) && of('signals')(message)),
    ];
    expect(market.epoch).not.toBe(signals.epoch);
    expect(market).toMatchObject({ ages: { EURUSD: expect.any(Number) } });
  });
});

describe('a bad request', () => {
  test.each([
    [{ action: 'subscribe', channel: 'quotes', symbols: ['EURUSD'] }, 'unknown_channel', undefined],
    [{ action: 'subscribe', symbols: ['EURUSD'] }, 'unknown_channel', undefined],
    [{ action: 'list', channel: 7 }, 'unknown_channel', undefined],
    [{ action: 'buy', channel: 'market' }, 'unknown_action', 'market'],
    [{ action: 'subscribe', channel: 'market' }, 'invalid_message', 'market'],
    [{ action: 'subscribe', channel: 'market', symbols: 5 }, 'invalid_message', 'market'],
    [{ action: 'subscribe', channel: 'market', symbols: ['EURUSD'], timeframe: '1m' }, 'invalid_message', 'market'],
    [{ action: 'subscribe', channel: 'bars', symbols: ['EURUSD'] }, 'invalid_message', 'bars'],
    [subscription('bars', { indicators: ['rsi(0)'] }), 'invalid_message', 'bars'],
    [subscription('footprint', { timeframe: '1d' }), 'invalid_message', 'footprint'],
    [subscription('signals', { max_rate: 5 }), 'invalid_message', 'signals'],
    [subscription('orderflow', { indicators: ['rsi(14)'] }), 'invalid_message', 'orderflow'],
  ])('%j gets an error, and the connection stays open', async (message: Message, code, channel) => {
    const stream = await open();
    const error = await stream.ask(message);
    expect(error).toMatchObject({ event: 'error', code, fatal: false });
    expect(error.channel as string | undefined).toBe(channel);
    expect(await stream.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
  });

  test('counts: the tenth closes the connection', async () => {
    const stream = await open();
    for (let at = 0; at < 10; at++) stream.send({ action: 'subscribe', channel: `c${at}` });
    expect((await stream.closed).code).toBe(4400);
  });

  test('an option of another channel is ignored with a warning', async () => {
    const stream = await open();
    expect(await stream.ask(subscription('market', { closes: true, maxRate: 3 }))).toMatchObject({
      warnings: [
        { option: 'maxRate', message: 'Unknown option; it was ignored.' },
        { option: 'closes', message: 'Only available on the channel signals; it was ignored.' },
      ],
    });
  });
});

describe('a connection', () => {
  test('is one stream of the tier, however many channels it has', async () => {
    const { key: free } = await service.key('free');
    const two = [await open('/ws', free), await open('/ws', free)];
    for (const stream of two) for (const channel of STREAM_CHANNELS) await stream.ask(subscription(channel));
    const third = await open('/ws', free);
    expect(await third.next(isEvent('error'))).toMatchObject({ code: 'stream_limit', fatal: true });
    expect((await third.closed).code).toBe(4429);
    for (const stream of two) expect(stream.closing).toBeNull();
  });

  test('authenticates with its first message, and needs no key afterwards', async () => {
    const stream = await open('/ws', null);
    expect(await stream.ask(subscription('market'))).toMatchObject({ code: 'missing_key' });
    expect(await stream.ask(subscription('market', { api_key: key }))).toMatchObject({ event: 'subscribed' });
    expect(await stream.ask(subscription('news'))).toMatchObject({ event: 'subscribed', channel: 'news' });
  });

  test('has one limit of subscriptions for all channels', async () => {
    const stream = await open();
    const market = await stream.ask(subscription('market', { symbols: ['*'] }));
    expect(market.symbols as string[]).toHaveLength(20);
    expect(await stream.ask(subscription('orderflow', { symbols: ['EURUSD'] }))).toMatchObject({
      symbols: [],
      rejected: [{ symbol: 'EURUSD', code: 'subscription_limit' }],
    });
  });

  test('is closed when its key is revoked', async () => {
    const issued = await service.key('premium');
    const stream = await open('/ws', issued.key);
    for (const channel of STREAM_CHANNELS) await stream.ask(subscription(channel));
    await revoke(service.folder, issued);
    expect((await stream.closed).code).toBe(4401);
    expect(stream.messages.filter(isEvent('error'))).toHaveLength(1);
  });

  test('is listed for operators with all its subscriptions', async () => {
    const stream = await open();
    await stream.ask(subscription('market'));
    await stream.ask(subscription('orderflow'));
    const { key: admin } = await service.key('premium', ['admin']);
    const response = await fetch(`${service.url}/api/admin/streams`, { headers: { 'X-API-Key': admin } });
    const { items } = (await response.json()) as { items: Message[] };
    expect(items.filter(({ channel }) => channel === 'ws')).toMatchObject([{ subscriptions: 4, slow: false }]);
  });
});
