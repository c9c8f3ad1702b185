import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { gunzipSync } from 'bun';
import { fakeBinance } from '../../../../../testing/feeds/fake-binance.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import { recording } from '../../../../../testing/shared-data.fixture.ts';
import type { SymbolMap } from '../../mapper.ts';
import { DEFAULT_TIMING, type VenueTiming } from '../venue.ts';
import { createVenueConnector, venueRest } from '../venue-connector.ts';
import { binance } from './binance.ts';

const BTC: SymbolMap = new Map([['BTCUSDT', asSymbol('BTCUSDT')]]);
const QUICK: Partial<VenueTiming> = { restIntervalMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, symbols = BTC, timing = QUICK) =>
  createVenueConnector(binance, { symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing });

describe('Binance', () => {
  test('subscribes many symbols in batches within the limit of five frames per second', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `C${n}USDT`);
    await using fake = new FakeVenue(fakeBinance(names), { pingMs: 1_100 });
    const sink = new RecordingSink();
    const symbols = new Map(names.map((name) => [name, asSymbol(name)]));
    const connection = await at(fake, symbols, {}).connect(sink);
    expect(fake.expelled).toBe(0);
    expect(fake.received.map(({ params }) => (params as string[]).length)).toEqual([200, 200, 200, 200, 200]);
    expect(fake.received.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    connection.close();
  });

  test('complains of a symbol that the venue confirms but does not list', async () => {
    await using fake = new FakeVenue(fakeBinance(['BTCUSDT']));
    const sink = new RecordingSink();
    const connection = await at(fake, new Map([...BTC, ['LUNAUSDT', asSymbol('LUNAUSDT')]])).connect(sink);
    await until(() => sink.complaints.length > 0, 'the complaint');
    expect(sink.complaints).toEqual(['symbol not offered: LUNAUSDT']);
    connection.close();
  });

  test('lists what trades, with digits and the last price', async () => {
    await using fake = new FakeVenue(fakeBinance(['BTCUSDT']));
    expect(await binance.listInstruments!(venueRest(binance, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK }))).toEqual([
      {
        venueSymbol: 'BTCUSDT',
        symbol: asSymbol('BTCUSDT'),
        name: 'BTC / USDT',
        type: 'crypto',
        digits: 2,
        quoteCurrency: 'USDT',
        lastPrice: 60_001.5,
      },
    ]);
    expect(fake.restRequests[0]!.searchParams.get('showPermissionSets')).toBe('false');
  });

  test('closes the connection when the venue announces a shutdown', async () => {
    await using fake = new FakeVenue(fakeBinance());
    const connection = await at(fake).connect(new RecordingSink());
    fake.sendRaw('{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1770123456789}}');
    expect(await connection.closed).toBe('the server is about to shut down');
  });

  test('falls back to the newest thousand trades on a host without historical trades', async () => {
    const protocol = fakeBinance();
    const keyless = {
      ...protocol,
      rest: (url: URL, tape: FakeVenue['tape']) =>
        url.pathname.endsWith('historicalTrades')
          ? Response.json({ code: -2014, msg: 'API-key format invalid.' }, { status: 401 })
          : protocol.rest(url, tape),
    };
    await using fake = new FakeVenue(keyless);
    const trades = fake.trade('BTCUSDT', 1_200, 'lost');
    const fetched = (index: number) =>
      at(fake).fetchTrades!(asSymbol('BTCUSDT'), { id: trades[index]!.id, time: asEpochMs(1) }).then(
        (found) => found?.length,
      );
    expect(await fetched(500)).toBe(699);
    expect(await fetched(100)).toBeUndefined();
  });

  test('delivers the real recording completely and in order', async () => {
    await using fake = new FakeVenue(fakeBinance());
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    const packed = await Bun.file(recording('binance-spot/btcusdt_20240808.gz')).bytes();
    const frames = new TextDecoder()
      .decode(gunzipSync(packed))
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1))
      .filter((frame) => /"stream":"btcusdt@(trade|bookTicker)"/.test(frame));
    for (const frame of frames) fake.sendRaw(frame);
    await until(() => sink.trades.length + sink.quotes.length === frames.length, 'every frame');
    const ids = sink.trades.map((trade) => trade.id!);
    expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
    expect(sink.complaints).toEqual([]);
    connection.close();
  });
});
