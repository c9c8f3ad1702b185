// Perpetuals over REST, `/ws/perpetual`, `/ws` and `/sse`: from the journal to a client.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Perpetual, PerpetualFigures, PerpetualLiquidation } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import { EventClient } from '../../../testing/event-client.fixture.ts';
import { BTC_PERPETUAL, figuresEvent, liquidationEvent, withPerpetuals } from '../../../testing/perpetual.fixture.ts';
import { type RunningService, startService } from '../../../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';
import type { JournalEvent } from '../../journal/journal.ts';
import { PerpetualChannel } from './perpetual-channel.ts';

const OTHER = 'ETHUSDT.P';
const QUIET = 'SOLUSDT.P';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ...withPerpetuals([BTC_PERPETUAL, OTHER, QUIET]) });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(path = '/ws/perpetual'): Promise<StreamClient> {
  const stream = await StreamClient.open(service.wsUrl + path, key);
  opened.push(stream);
  return stream;
}
const append = (...events: JournalEvent[]): void => service.app.journal.append(events);
const get = (path: string): Promise<Response> => fetch(service.url + path, { headers: { 'X-API-Key': key } });
const perpetual = async (symbol = BTC_PERPETUAL, query = ''): Promise<Perpetual> =>
  Perpetual.parse(await (await get(`/api/market/${symbol}/perpetual${query}`)).json());
const subscribe = (options: Message = {}): Message => ({ action: 'subscribe', symbols: [BTC_PERPETUAL], ...options });

describe('REST', () => {
  test('answers with the newest figures and the newest liquidations, newest first', async () => {
    const figures = figuresEvent({ time: 1_772_450_647_318 as never });
    const forced = [liquidationEvent({ time: 1_772_450_000_000 as never }), liquidationEvent({ side: 'buy' })] as const;
    append(figuresEvent(), ...forced, figures);
    expect(await perpetual()).toEqual({
      symbol: BTC_PERPETUAL,
      venue: 'bybit',
      mark_price: figures.markPrice,
      index_price: 68_000.5,
      funding_rate: 0.0001,
      funding_interval_hours: 8,
      next_funding_time: '2026-03-02T16:00:00.000Z',
      open_interest: 57_798.137,
      timestamp: '2026-03-02T11:24:07.318Z',
      liquidations: [
        { timestamp: expect.any(String), side: 'buy', price: forced[1].price, size: 0.25 },
        { timestamp: '2026-03-02T11:13:20.000Z', side: 'sell', price: forced[0].price, size: 0.25 },
      ],
    });
    expect((await perpetual('BTC-USDT-SWAP', '?limit=1')).liquidations).toHaveLength(1);
    expect((await perpetual(BTC_PERPETUAL, '?limit=0')).liquidations).toEqual([]);
  });

  test('has null for what the venue has not sent', async () => {
    const unknown = { venue: null, mark_price: null, index_price: null, funding_rate: null, timestamp: null };
    expect(await perpetual(QUIET)).toEqual({
      symbol: QUIET,
      ...unknown,
      ...{ funding_interval_hours: null, next_funding_time: null, open_interest: null, liquidations: [] },
    });
  });

  test('states a position, from which a stream continues', async () => {
    const { headers } = await get(`/api/market/${BTC_PERPETUAL}/perpetual`);
    const from = { epoch: headers.get('stream-epoch'), seq: Number(headers.get('stream-seq')) };
    append(liquidationEvent());
    const stream = await open();
    await stream.ask(subscribe({ seq: true, resume_from: from }));
    expect(await stream.next(isData)).toMatchObject({ type: 'liquidation' });
  });

  test.each([
    ['EURUSD', 422, 'not_perpetual'],
    ['NOSUCH.P', 404, 'symbol_not_found'],
  ])('refuses %s', async (symbol, status, code) => {
    const response = await get(`/api/market/${symbol}/perpetual`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  test('keeps the newest 500 liquidations', async () => {
    for (let at = 0; at < 510; at++) append(liquidationEvent({ symbol: asSymbol(OTHER), price: 1 + at }));
    const { liquidations } = await perpetual(OTHER, '?limit=500');
    expect([liquidations.length, liquidations[0]!.price, liquidations.at(-1)!.price]).toEqual([500, 510, 11]);
    expect((await get(`/api/market/${OTHER}/perpetual?limit=501`)).status).toBe(400);
  });
});

describe('the channel', () => {
  test('starts with the current figures, then sends each change and each liquidation', async () => {
    const before = figuresEvent();
    append(before);
    const stream = await open();
    expect(await stream.ask(subscribe())).toMatchObject({ symbols: [BTC_PERPETUAL], rejected: [] });
    const snapshot = await stream.next();
    expect(PerpetualFigures.parse(snapshot)).toStrictEqual(snapshot as never);
    expect(snapshot).toMatchObject({ type: 'figures', mark_price: before.markPrice, next_funding_time: 1_772_467_200 });
    const [liquidation, after] = [liquidationEvent(), figuresEvent({ openInterest: null })];
    append(liquidation, after, figuresEvent({ symbol: asSymbol(OTHER) }));
    const forced = await stream.next();
    expect(PerpetualLiquidation.parse(forced)).toStrictEqual(forced as never);
    expect(forced).toMatchObject({ type: 'liquidation', side: 'sell', price: liquidation.price });
    expect(await stream.next()).toMatchObject({ mark_price: after.markPrice, open_interest: null });
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(3);
  });

  test('numbers its messages by symbol, and resumes without holes or duplicates', async () => {
    const reference = await open();
    const { epoch, seq } = await reference.ask(subscribe({ seq: true, symbols: [BTC_PERPETUAL, OTHER] }));
    for (let at = 0; at < 5; at++)
      append(figuresEvent(), figuresEvent({ symbol: asSymbol(OTHER) }), liquidationEvent({ symbol: asSymbol(OTHER) }));
    const stream = await open('/ws');
    await stream.ask(
      subscribe({
        channel: 'perpetual',
        seq: true,
        symbols: [BTC_PERPETUAL, OTHER],
        resume_from: { epoch, seq } as never,
      }),
    );
    append(liquidationEvent());
    await reference.next(({ seq: at }) => at === service.app.journal.lastSeq);
    await stream.next(({ seq: at }) => at === service.app.journal.lastSeq);
    const sent = reference.messages.filter((each) => isData(each) && Number(each.seq) > Number(seq));
    const got = stream.messages.filter(isData).map(({ channel, ...rest }) => [channel, rest]);
    expect(got).toEqual(sent.map((each) => ['perpetual', each]));
    expect(sent).toHaveLength(16);
    const last = new Map<unknown, unknown>();
    for (const { symbol, prev, seq: at } of sent) {
      if (last.has(symbol)) expect(prev).toBe(last.get(symbol) as number);
      last.set(symbol, at);
    }
  });

  test('declares a gap if the position is of another epoch, and starts with the current figures', async () => {
    append(figuresEvent());
    const stream = await open();
    await stream.ask(subscribe({ seq: true, resume_from: { epoch: 'gone', seq: 5 } }));
    expect(await stream.next()).toMatchObject({
      event: 'gap',
      fill: '/api/market/{symbol}/perpetual?limit=500',
    });
    expect(await stream.next()).toMatchObject({ type: 'figures' });
  });

  test('has milliseconds and numbers only if requested', async () => {
    append(figuresEvent());
    const stream = await open();
    await stream.ask(subscribe());
    const plain = await stream.next(isData);
    for (const name of ['time_ms', 'seq', 'prev', 'epoch', 'channel']) expect(plain).not.toHaveProperty(name);
    expect(await stream.ask(subscribe({ ms: true }))).not.toHaveProperty('warnings');
    append(liquidationEvent({ time: 1_772_450_647_318 as never }));
    expect(await stream.next(isData)).toMatchObject({ time: 1_772_450_647, time_ms: 1_772_450_647_318 });
  });

  test('without symbols, and with "*", has all perpetuals and nothing else', async () => {
    const stream = await open();
    for (const request of [{ action: 'subscribe' }, { action: 'subscribe', symbols: ['*'] }])
      expect(await stream.ask(request)).toMatchObject({ symbols: [BTC_PERPETUAL, OTHER, QUIET], rejected: [] });
  });

  test('rejects instruments that are no perpetuals, and options that would drop messages', async () => {
    const stream = await open();
    expect(await stream.ask(subscribe({ symbols: ['EURUSD', 'NOSUCH', 'BTC/USDT:USDT'] }))).toMatchObject({
      symbols: [BTC_PERPETUAL],
      rejected: expect.arrayContaining([
        { symbol: 'EURUSD', code: 'not_perpetual' },
        { symbol: 'NOSUCH', code: 'symbol_not_found' },
      ]),
    });
    for (const options of [{ max_rate: 1 }, { delivery: 'latest' }])
      expect(await stream.ask(subscribe(options))).toMatchObject({ event: 'error', code: 'invalid_message' });
  });

  test('is on /sse, which resumes too', async () => {
    append(figuresEvent());
    const query = `channels=perpetual&symbols=${BTC_PERPETUAL}&ms=true`;
    const events = await EventClient.open(`${service.url}/sse?${query}`, { 'X-API-Key': key });
    const { id } = await events.next(({ type }) => type === 'figures');
    events.close();
    append(liquidationEvent());
    const again = await EventClient.open(`${service.url}/sse?${query}`, { 'X-API-Key': key, 'Last-Event-ID': id });
    expect((await again.next(isData)).data).toMatchObject({ channel: 'perpetual', type: 'liquidation' });
    again.close();
  });
});

test('a message that nobody reads is not encoded', () => {
  const channel = new PerpetualChannel({ isPerpetual: () => true, journal: { epoch: 'e1', lastSeq: 0 } });
  const published: string[] = [];
  const publisher = { publish: (_: unknown, body: string) => void published.push(body), schedule() {}, cancel() {} };
  const event = figuresEvent();
  channel.reads.perpetual!(event, 1, publisher);
  expect(published).toEqual([]);
  expect(channel.state(event.symbol)?.figures).toBe(event);
});
