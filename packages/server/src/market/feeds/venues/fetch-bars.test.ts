// What every venue must pass: the candles that it lists are the bars of the trades that the service receives from it.
import { describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  DAY_MS,
  Engine,
  type EngineEvent,
  HOUR_MS,
  MINUTE_MS,
  type PriceEvent,
  roundSize,
} from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
  type VenueUnderTest,
} from '../../../../testing/feeds/venues-under-test.fixture.ts';
import type { VenueBarLength } from './venue.ts';

const NOW = Date.UTC(2026, 10, 18, 10, 7, 23);
const LENGTHS: Readonly<Record<VenueBarLength, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };
/** Venues that state the volume of buying takers. */
const WITH_SIDES = ['binance', 'binanceusdm'];
const COIN = { ...CATALOGUE.find(({ type }) => type === 'crypto')!, bars: 'trades', hours: 'always' } as const;

/** A venue with trades at these times before now, and what arrives of them over its stream. */
async function venueWith(venue: VenueUnderTest, ages: readonly number[]) {
  let time = NOW - Math.max(...ages);
  const fake = new FakeVenue(venue.protocol(), { now: () => time });
  const connector = connectorFor(venue, fake);
  const received: PriceEvent[] = [];
  let isOpen = true;
  const connection = await connector.connect({
    events: (events) => received.push(...events),
    alive: () => undefined,
    // The list of symbols may arrive after the end.
    complain: (what) => {
      if (isOpen) throw new Error(what);
    },
  });
  for (const age of ages.toSorted((a, b) => b - a)) {
    time = NOW - age;
    fake.trade(venue.btc, 3);
  }
  time = NOW;
  const trades = () => received.filter(({ kind }) => kind === 'trade');
  await until(() => trades().length === fake.tape.of(venue.btc).length, 'the trades');
  connection.close();
  isOpen = false;
  return { fake, trades: trades(), symbol: asSymbol(venue.instrument), connector };
}

describe.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])('bars of $name', (venue) => {
  test.each(['1m', '1h', '1d'] as const)('of %s are those of its trades, over several pages', async (length) => {
    const unit = LENGTHS[length];
    // One interval in seven is quiet.
    const ages = Array.from({ length: 1_100 }, (_, at) => at).filter((at) => at % 7 !== 3);
    const { fake, trades, symbol, connector } = await venueWith(
      venue,
      ages.map((at) => at * unit),
    );
    await using _ = fake;
    const kept = connector.oldestBar?.(length, asEpochMs(NOW)) ?? 0;
    const from = asEpochMs(Math.ceil(Math.max(kept, NOW - 1_050 * unit) / unit) * unit);
    const to = asEpochMs(Math.floor(NOW / unit) * unit);
    const bars = await connector.fetchBars!({ symbol, length, from, to });

    const engine = new Engine([{ ...COIN, symbol }]);
    const out: EngineEvent[] = [];
    for (const trade of trades) engine.apply(trade, out);
    const recorded = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === length ? event.bar : []));
    const sides = (bar: (typeof recorded)[number]) =>
      WITH_SIDES.includes(venue.name) ? bar : { ...bar, bidVolume: 0, askVolume: 0 };
    expect(bars.map((bar) => ({ ...bar, volume: roundSize(bar.volume) }))).toEqual(
      recorded.filter(({ time }) => time >= from && time < to).map(sides),
    );
    expect(bars.length).toBeGreaterThan(600);
  });

  test('are an error if the venue refuses the symbol or the region', async () => {
    const { fake, symbol, connector } = await venueWith(venue, [0]);
    await using _ = fake;
    const request = { symbol, length: '1m', from: asEpochMs(NOW - (NOW % HOUR_MS)), to: asEpochMs(NOW) } as const;
    fake.answerRest = () => Response.json({ code: 0, msg: 'restricted location' }, { status: 451 });
    await expect(connector.fetchBars!(request)).rejects.toThrow(/status 451|restricted location/);
    fake.answerRest = () => Response.json({ error: [], result: {} });
    await expect(connector.fetchBars!(request)).rejects.toThrow();
  });
});
