// Fakes of five venues that play the recordings of BTCUSDT and ETHUSDT, for the scenario `venues`. Prints the address at which it
// tells the settings of a service that reads them, and how many messages it has sent.
//
// The first two markets of each venue play a whole recording, with its prices and pauses. The market of rank n plays 2/n of that of
// ETHUSDT: trading thins out about so. Binance's futures play twice as much, as was recorded of them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fakeBinanceusdm } from '../../packages/server/testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeBybit } from '../../packages/server/testing/feeds/fake-bybit.fixture.ts';
import { fakeHyperliquid } from '../../packages/server/testing/feeds/fake-hyperliquid.fixture.ts';
import { fakeKraken } from '../../packages/server/testing/feeds/fake-kraken.fixture.ts';
import { fakeOkx } from '../../packages/server/testing/feeds/fake-okx.fixture.ts';
import type { FakeProtocol } from '../../packages/server/testing/feeds/fake-protocol.fixture.ts';
import { FakeVenue } from '../../packages/server/testing/feeds/fake-venue.fixture.ts';
import { recording } from '../../packages/server/testing/shared-data.fixture.ts';

/** Of each venue. */
const MARKETS = 40;
const STEP_MS = 10;

interface Played {
  readonly protocol: (listed: readonly string[]) => FakeProtocol;
  /** The venue's spelling, and ours. */
  readonly spell: (base: string) => readonly [string, string];
  /** How often each message is played. */
  readonly times: number;
}

const VENUES: Readonly<Record<string, Played>> = {
  kraken: { protocol: fakeKraken, spell: (base) => [`${base}/USD`, `${base}USD`], times: 1 },
  hyperliquid: { protocol: fakeHyperliquid, spell: (base) => [base, `${base}USDC.P`], times: 1 },
  binanceusdm: { protocol: fakeBinanceusdm, spell: (base) => [`${base}USDT`, `${base}USDT.P`], times: 2 },
  bybit: { protocol: fakeBybit, spell: (base) => [`${base}USDT`, `${base}USDT`], times: 1 },
  okx: { protocol: fakeOkx, spell: (base) => [`${base}-USDC`, `${base}USDC`], times: 1 },
};

interface RecordedQuote {
  readonly e?: undefined;
  readonly b: string;
  readonly B: string;
  readonly a: string;
  readonly A: string;
}

interface RecordedTrade {
  readonly e: 'trade';
  readonly p: string;
  readonly q: string;
  /** The buyer was the maker. */
  readonly m: boolean;
}

/** `atMs`: since the start of the recording. */
interface Line {
  readonly atMs: number;
  readonly data: RecordedQuote | RecordedTrade;
}

function readRecording(name: string): Line[] {
  const text = gunzipSync(readFileSync(recording(`binance-spot/${name}_20240808.gz`))).toString();
  const lines = text.split('\n').filter((line) => /@(trade|bookTicker)"/.test(line));
  const start = Number(lines[0]!.slice(0, 13));
  return lines.map((line) => ({
    atMs: Number(line.slice(0, 13)) - start,
    data: (JSON.parse(line.slice(line.indexOf('{'))) as Pick<Line, 'data'>).data,
  }));
}

const [btc, eth] = [readRecording('btcusdt'), readRecording('ethusdt')];
const baseOf = (rank: number): string => ['BTC', 'ETH'][rank - 1] ?? `X${String(rank).padStart(2, '0')}`;
const played = Object.entries(VENUES).map(([name, { protocol, spell, times }]) => {
  const markets = Array.from({ length: MARKETS }, (_, at) => spell(baseOf(at + 1)));
  return { name, markets, times, fake: new FakeVenue(protocol(markets.map(([venueSymbol]) => venueSymbol))) };
});

let sent = 0;
let number = 0;
function play({ data }: Line, fake: FakeVenue, symbol: string): void {
  sent++;
  const timeUs = Date.now() * 1_000;
  if (data.e !== 'trade') {
    const { b, B, a, A } = data;
    fake.deliverQuote({ symbol, bid: b, bidSize: B, ask: a, askSize: A, timeUs, updateId: ++number });
    return;
  }
  // The tape numbers the trades of a market.
  const { p, q, m } = data;
  const tape = fake.tape.of(symbol);
  const trade = { symbol, id: tape.length + 1, price: p, size: q, timeUs, taker: m ? 'sell' : 'buy' } as const;
  tape.push(trade);
  fake.deliver([trade], 'sent');
}

const began = performance.now();
let [btcAt, ethAt] = [0, 0];
setInterval(() => {
  const now = performance.now() - began;
  for (; btc[btcAt]! && btc[btcAt]!.atMs <= now; btcAt++)
    for (const { fake, markets, times } of played)
      for (let n = 0; n < times; n++) play(btc[btcAt]!, fake, markets[0]![0]);
  for (; eth[ethAt]! && eth[ethAt]!.atMs <= now; ethAt++)
    for (const { fake, markets, times } of played)
      for (let rank = 2; rank <= MARKETS; rank++) {
        // Each market misses other messages.
        if (((ethAt + rank * 7) * 2) % rank >= 2) continue;
        for (let n = 0; n < times; n++) play(eth[ethAt]!, fake, markets[rank - 1]![0]);
      }
}, STEP_MS);

/** No history: it is a matter of the first minutes, and requests fail at once. */
const rest_url = 'http://127.0.0.1:1';
const venues = Object.fromEntries(
  played.map(({ name, fake, markets }) => [
    name,
    { ws_url: fake.wsUrl, rest_url, symbols: Object.fromEntries(markets.map(([theirs, ours]) => [ours, theirs])) },
  ]),
);
const control = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => Response.json(url.endsWith('/sent') ? { sent } : { venues }),
});
console.log(`http://127.0.0.1:${control.port}`);
