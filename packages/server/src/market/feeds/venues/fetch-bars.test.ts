import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, DAY_MS, Engine, type EngineEvent, HOUR_MS, MINUTE_MS, roundSize } from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST } from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { loadInstruments } from '../../instruments.ts';
import type { VenueBarLength } from './venue.ts';

const NOW = Date.UTC(2026, 10, 18, 10, 7, 23);
const LENGTHS: Readonly<Record<VenueBarLength, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };

/** A venue with trades at these times before now. */
function venueWith(name: string, ages: readonly number[]) {
  const venue = VENUES_UNDER_TEST.find((each) => each.name === name)!;
  let time = NOW - Math.max(...ages);
  const fake = new FakeVenue(venue.protocol(), { now: () => time });
  for (const age of ages.toSorted((a, b) => b - a)) {
    time = NOW - age;
    fake.tape.make(venue.btc, 3);
  }
  time = NOW;
  return { fake, venue, symbol: asSymbol(venue.instrument), connector: connectorFor(venue, fake) };
}

describe.each(['binance', 'kraken', 'coinbase'])('bars of %s', (name) => {
  test.each(['1m', '1h', '1d'] as const)('of %s are those of its trades, over several pages', async (length) => {
    const unit = LENGTHS[length];
    // One interval in seven is quiet.
    const ages = Array.from({ length: 1_100 }, (_, at) => at).filter((at) => at % 7 !== 3);
    const { fake, venue, symbol, connector } = venueWith(
      name,
      ages.map((at) => at * unit),
    );
    await using _ = fake;
    const oldest = connector.oldestBar?.(length, asEpochMs(NOW)) ?? NOW - 1_050 * unit;
    const from = asEpochMs(Math.ceil(oldest / unit) * unit);
    const to = asEpochMs(Math.floor(NOW / unit) * unit);
    const bars = await connector.fetchBars!({ symbol, length, from, to });

    const instruments = loadInstruments({
      ...{ data: '/nonexistent', feeds: [`${name}`], venues: {}, instruments: null, realm: 'live' },
    });
    const engine = new Engine(instruments);
    const out: EngineEvent[] = [];
    for (const { timeUs, price, size, taker, id } of fake.tape.of(venue.btc)) {
      const trade = {
        kind: 'trade',
        symbol,
        time: asEpochMs(Math.floor(timeUs / 1_000)),
        price: Number(price),
      } as const;
      engine.apply({ ...trade, size: Number(size), side: taker, sideMethod: null, id }, out);
    }
    const recorded = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === length ? event.bar : []));
    const sides = (bar: (typeof recorded)[number]) =>
      name === 'binance' ? bar : { ...bar, bidVolume: 0, askVolume: 0 };
    expect(bars.map((bar) => ({ ...bar, volume: roundSize(bar.volume) }))).toEqual(
      recorded.filter(({ time }) => time >= from && time < to).map(sides),
    );
    expect(bars.length).toBeGreaterThan(600);
  });

  test('are an error if the venue refuses the symbol or the region', async () => {
    const { fake, symbol, connector } = venueWith(name, [0]);
    await using _ = fake;
    const request = { symbol, length: '1m', from: asEpochMs(NOW - (NOW % HOUR_MS)), to: asEpochMs(NOW) } as const;
    fake.answerRest = () => Response.json({ code: 0, msg: 'restricted location' }, { status: 451 });
    await expect(connector.fetchBars!(request)).rejects.toThrow('status 451');
    fake.answerRest = () => Response.json({ error: [], result: {} });
    await expect(connector.fetchBars!(request)).rejects.toThrow();
  });
});
