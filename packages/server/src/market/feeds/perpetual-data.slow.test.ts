// What venues publish of perpetuals, from the socket of a fake venue to REST and the streams of a service.
import { afterEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Perpetual } from '@tickwire/contract';
import { fakeBinanceusdm } from '../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeBybit } from '../../../testing/feeds/fake-bybit.fixture.ts';
import { fakeHyperliquid } from '../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { fakeOkx } from '../../../testing/feeds/fake-okx.fixture.ts';
import type { FakeProtocol } from '../../../testing/feeds/fake-protocol.fixture.ts';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { eventually } from '../../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { isEvent, StreamClient } from '../../../testing/stream-client.fixture.ts';

interface Venue {
  readonly name: string;
  readonly protocol: FakeProtocol;
  readonly symbol: string;
  readonly venueSymbol: string;
}
const VENUES: Readonly<Record<string, () => Venue>> = {
  hyperliquid: () => ({
    name: 'hyperliquid',
    protocol: fakeHyperliquid(),
    symbol: 'GOLDUSDC.P',
    venueSymbol: 'xyz:GOLD',
  }),
  binanceusdm: () => ({
    name: 'binanceusdm',
    protocol: fakeBinanceusdm(),
    symbol: 'XAUUSDT.P',
    venueSymbol: 'XAUUSDT',
  }),
  bybit: () => ({ name: 'bybit', protocol: fakeBybit(), symbol: 'BTCUSDT.P', venueSymbol: 'BTCUSDT.P' }),
  okx: () => ({ name: 'okx', protocol: fakeOkx(), symbol: 'BTCUSDT.P', venueSymbol: 'BTC-USDT-SWAP' }),
};

let service: RunningService;
let fakes: FakeVenue[] = [];
afterEach(async () => {
  await service.stop();
  for (const fake of fakes) await fake[Symbol.asyncDispose]();
});

async function start(names: readonly string[]): Promise<FakeVenue[]> {
  const venues = names.map((name) => VENUES[name]!());
  fakes = venues.map(({ protocol }) => new FakeVenue(protocol, { heartbeatMs: 100 }));
  const folder = temporaryFolder();
  const config = join(folder, 'tickwire.json');
  const settings = venues.map(({ name, symbol, venueSymbol }, at) => [
    name,
    { ws_url: fakes[at]!.wsUrl, rest_url: fakes[at]!.restUrl, symbols: { [symbol]: venueSymbol } },
  ]);
  writeFileSync(config, JSON.stringify({ venues: Object.fromEntries(settings) }));
  service = await startService({ feeds: names.join(), config, data: join(folder, 'data') });
  return fakes;
}

const READ = {
  hyperliquid: {
    ...{ mark_price: 60_001, index_price: 60_000.5, funding_rate: 0.0000125, funding_interval_hours: 1 },
    open_interest: 31_500.25,
  },
  binanceusdm: {
    ...{ mark_price: 60_001, index_price: 60_000.5, funding_rate: 0.0001, funding_interval_hours: null },
    open_interest: null,
  },
  bybit: {
    ...{ mark_price: 60_000.5, index_price: 60_010.25, funding_rate: -0.0000544, funding_interval_hours: 8 },
    open_interest: 57_798.137,
  },
  okx: {
    ...{ mark_price: 60_000.5, index_price: 60_010.25, funding_rate: -0.0000544, funding_interval_hours: 1 },
    open_interest: 57_798.137,
  },
};

test.each(Object.entries(READ))('%s: figures and liquidations reach REST and the stream', async (name, expected) => {
  const [fake] = (await start([name])) as [FakeVenue];
  const { symbol, venueSymbol } = VENUES[name]!();
  const { key } = await service.key('premium');
  const read = async (): Promise<Perpetual> =>
    Perpetual.parse(
      await (await fetch(`${service.url}/api/market/${symbol}/perpetual`, { headers: { 'X-API-Key': key } })).json(),
    );
  await eventually('all figures', async () => {
    const { mark_price, open_interest } = await read();
    return mark_price !== null && (open_interest !== null || expected.open_interest === null);
  });
  const answer = await read();
  expect(answer).toMatchObject({ symbol, venue: name, ...expected, liquidations: [] });
  expect(Date.parse(answer.next_funding_time!)).toBeGreaterThan(Date.now());
  expect(Math.abs(Date.parse(answer.timestamp!) - Date.now())).toBeLessThan(15_000);

  const stream = await StreamClient.open(`${service.wsUrl}/ws`, key);
  await stream.ask({ action: 'subscribe', channel: 'perpetual', symbols: [symbol] });
  expect(await stream.next(({ type }) => type === 'figures')).toMatchObject({ symbol, venue: name, ...expected });
  const forced = fake.liquidate(venueSymbol);
  if (name === 'hyperliquid') {
    // It publishes none.
    stream.close();
    return;
  }
  const size = Number(forced.size) * (name === 'okx' ? 0.01 : 1);
  const message = await stream.next(({ type }) => type === 'liquidation');
  expect(message).toMatchObject({ symbol, venue: name, side: forced.taker, price: Number(forced.price) });
  expect(message.size).toBeCloseTo(size, 8);
  expect((await read()).liquidations).toMatchObject([{ side: forced.taker, price: Number(forced.price) }]);
  stream.close();
});

test('of two venues with the same perpetual, only its owner counts; after a failover, only the other one', async () => {
  const [bybit, okx] = (await start(['bybit', 'okx'])) as [FakeVenue, FakeVenue];
  const { key } = await service.key('premium');
  const stream = await StreamClient.open(`${service.wsUrl}/ws`, key);
  await stream.ask({ action: 'subscribe', channel: 'perpetual', symbols: ['BTCUSDT.P'] });
  await stream.ask({ action: 'subscribe', channel: 'market', symbols: ['BTCUSDT.P'] });
  await stream.next(({ type }) => type === 'figures');
  await eventually('both are connected', () => okx.clients === 1 && bybit.clients === 1);
  await stream.ask({ action: 'ping' });
  okx.liquidate('BTC-USDT-SWAP');
  const forced = bybit.liquidate('BTCUSDT.P');
  expect(await stream.next(({ type }) => type === 'liquidation')).toMatchObject({
    venue: 'bybit',
    price: Number(forced.price),
  });
  await bybit.down();
  await stream.next((message) => isEvent('feed')(message) && message.state === 'failover', 30_000);
  expect(new Set(stream.messages.flatMap(({ type, venue }) => (type ? [venue] : [])))).toEqual(new Set(['bybit']));
  const next = okx.liquidate('BTC-USDT-SWAP');
  expect(await stream.next(({ type }) => type === 'liquidation')).toMatchObject({
    venue: 'okx',
    price: Number(next.price),
  });
  // One figure changes; the others were sent before the failover.
  const arg = { channel: 'mark-price', instId: 'BTC-USDT-SWAP' };
  okx.sendRaw(JSON.stringify({ arg, data: [{ instId: arg.instId, markPx: '60002.5', ts: String(Date.now()) }] }));
  expect(await stream.next(({ type }) => type === 'figures')).toMatchObject({
    venue: 'okx',
    ...READ.okx,
    mark_price: 60_002.5,
  });
  stream.close();
});
