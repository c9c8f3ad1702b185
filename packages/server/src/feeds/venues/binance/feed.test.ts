import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { gunzipSync } from 'bun';
import { fakeBinance } from '../fake-binance.fixture.ts';
import { FakeVenue } from '../fake-venue.fixture.ts';
import { Listener } from '../listener.fixture.ts';
import { realData } from '../real-data.fixture.ts';
import { until } from '../reference-loop.fixture.ts';
import type { SymbolMap, VenueTiming } from '../venue.ts';
import { binanceSource } from './feed.ts';

const BTC: SymbolMap = new Map([['BTCUSDT', asSymbol('BTCUSDT')]]);
const QUICK: Partial<VenueTiming> = { restPaceMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, symbols = BTC, timing = QUICK) =>
  binanceSource({ symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing });

describe('Binance', () => {
  test('many symbols are subscribed in batches the venue’s limit of five frames a second allows', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `C${n}USDT`);
    await using fake = new FakeVenue(fakeBinance(names), { pingMs: 1_100 });
    const listener = new Listener();
    const symbols = new Map(names.map((name) => [name, asSymbol(name)]));
    const link = await at(fake, symbols, {}).connect(listener);
    expect(fake.expelled).toBe(0);
    expect(fake.heard.map(({ params }) => (params as string[]).length)).toEqual([200, 200, 200, 200, 200]);
    expect(fake.heard.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    link.close();
  });

  test('a symbol that the venue confirms but does not have is complained of', async () => {
    await using fake = new FakeVenue(fakeBinance(['BTCUSDT']));
    const listener = new Listener();
    const link = await at(fake, new Map([...BTC, ['LUNAUSDT', asSymbol('LUNAUSDT')]])).connect(listener);
    await until(() => listener.complaints.length > 0, 'the complaint');
    expect(listener.complaints).toEqual(['symbol not listed: one of BTCUSDT LUNAUSDT']);
    link.close();
  });

  test('an announced shutdown closes the link before the venue does', async () => {
    await using fake = new FakeVenue(fakeBinance());
    const link = await at(fake).connect(new Listener());
    fake.say('{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1770123456789}}');
    expect(await link.closed).toBe('the server is about to shut down');
  });

  test('a host without old trades still gives the newest thousand', async () => {
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
    const missed = (index: number) =>
      at(fake).missed!(asSymbol('BTCUSDT'), { id: trades[index]!.id, time: asEpochMs(1) }).then(
        (found) => found?.length,
      );
    expect(await missed(500)).toBe(699);
    expect(await missed(100)).toBeUndefined();
  });

  const folder = realData('binance-spot');
  test.skipIf(!folder)('the real recording, played over the socket, arrives whole and in order', async () => {
    await using fake = new FakeVenue(fakeBinance());
    const listener = new Listener();
    const link = await at(fake).connect(listener);
    const packed = await Bun.file(join(folder!, 'btcusdt_20240808.gz')).bytes();
    const frames = new TextDecoder()
      .decode(gunzipSync(packed))
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1))
      .filter((frame) => /"stream":"btcusdt@(trade|bookTicker)"/.test(frame));
    for (const frame of frames) fake.say(frame);
    await until(() => listener.trades.length + listener.quotes.length === frames.length, 'every frame');
    const ids = listener.trades.map((trade) => trade.id!);
    expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
    expect(listener.complaints).toEqual([]);
    link.close();
  });
});
