// Profiles and footprints of real trades, compared with a second implementation over the lines of the recording.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { FootprintPage, FootprintQuery, Profile, ProfileQuery } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  Engine,
  type EngineEvent,
  type InstrumentSpec,
  MINUTE_MS,
  type TradeEvent,
} from '@tickwire/engine';
import { newFolder, withStore } from '../../testing/import/store-dump.fixture.ts';
import { recordingSets } from '../../testing/shared-data.fixture.ts';
import { binanceTrades, levelsOf, type RawTrade, referenceArea } from '../../testing/volume-reference.fixture.ts';
import { runImport } from '../import/run-import.ts';
import { VENUE_INSTRUMENTS } from '../market/feeds/venues/venue-instruments.ts';
import { MarketView } from '../market/market-view.ts';
import { Recorder } from '../market/recorder.ts';
import { restoreMarket } from '../market/restore.ts';
import { silentLog } from '../ops/log.ts';
import type { MarketStore } from '../store/store.ts';
import { BarDetailReader } from './bar-details.ts';
import { LATEST, parseChart, readChartBars } from './chart-reader.ts';
import { footprintsOf } from './footprints.ts';
import type { VolumeSources } from './recorded-volume.ts';
import { profileOf } from './volume-profile.ts';

const folders: string[] = [];
const folder = (): string => {
  folders.push(newFolder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const specOf = (symbol: string): InstrumentSpec => VENUE_INSTRUMENTS.find((spec) => spec.symbol === asSymbol(symbol))!;
const units = (size: number): bigint => BigInt(Math.round(size * 1e8));
const exact = (levels: Profile['levels']) =>
  levels.map(({ price, buy, sell }) => ({ price, buy: units(buy), sell: units(sell) }));
const sumOf = (trades: readonly RawTrade[], side?: 'buy' | 'sell'): bigint =>
  trades.reduce((sum, trade) => (side === undefined || trade.side === side ? sum + trade.size : sum), 0n);

async function expectSameAsTrades(
  sources: VolumeSources,
  spec: InstrumentSpec,
  trades: readonly RawTrade[],
): Promise<void> {
  const [from, to] = [Math.min(...trades.map(({ time }) => time)), Math.max(...trades.map(({ time }) => time))];
  const start = from - (from % MINUTE_MS);
  for (const level of [undefined, spec.levelSize! / 10, spec.levelSize! * 3]) {
    const profile = await profileOf(sources, spec, ProfileQuery.parse({ from: start, to, level }), to);
    expect(Profile.parse(profile)).toEqual(profile);
    const levels = levelsOf(trades, level ?? spec.levelSize!);
    expect(exact(profile.levels)).toEqual(levels);
    expect(units(profile.volume)).toBe(sumOf(trades));
    expect(units(profile.delta)).toBe(sumOf(trades, 'buy') - sumOf(trades, 'sell'));
    const { poc, low, high } = referenceArea(levels);
    expect([profile.poc, profile.value_area]).toEqual([poc, { low, high }]);
    expect(profile).toMatchObject({ side_method: 'feed', uncovered_volume: 0, covered_from: profile.from });
  }
  for (const interval of ['1m', '2m', '1h', '1d']) {
    const query = FootprintQuery.parse({ interval, from: start - 86_400_000 });
    const { page } = await footprintsOf(sources, spec, query, { from: query.from!, to, first: 'oldest' });
    expect(FootprintPage.parse({ ...page, next: null }).items).toEqual(page.items);
    const length = { '1m': 1, '2m': 2, '1h': 60, '1d': 1_440 }[interval]! * MINUTE_MS;
    const expected = Map.groupBy(trades, ({ time }) => time - (time % length));
    expect(page.items.map(({ time }) => Date.parse(time))).toEqual([...expected.keys()].sort((a, b) => a - b));
    for (const { time, volume, delta, levels, uncovered_volume } of page.items) {
      const inside = expected.get(Date.parse(time))!;
      expect(exact(levels)).toEqual(levelsOf(inside, spec.levelSize!));
      expect([units(volume), units(delta), uncovered_volume]).toEqual([
        sumOf(inside),
        sumOf(inside, 'buy') - sumOf(inside, 'sell'),
        0,
      ]);
    }
  }
}

async function expectSameDetails(
  sources: VolumeSources & { readonly store: MarketStore },
  spec: InstrumentSpec,
  trades: readonly RawTrade[],
): Promise<void> {
  for (const [interval, length] of [
    ['1m', MINUTE_MS],
    ['15m', 15 * MINUTE_MS],
  ] as const) {
    const chart = parseChart({ interval, align: 'utc' });
    const range = { symbol: spec.symbol, from: 0, to: LATEST, limit: 10_000, first: 'oldest' } as const;
    const { bars } = await readChartBars(sources, chart, range);
    const options = { ...sources, simulated: false, alwaysOpen: true, now: Date.now };
    const detailed = await new BarDetailReader(options, spec, chart, ['trades', 'vwap']).read(bars);
    const expected = Map.groupBy(trades, ({ time }) => time - (time % length));
    expect(detailed.map(({ time, trades: count }) => [time, count])).toEqual(
      [...expected].sort(([a], [b]) => a - b).map(([time, inside]) => [asEpochMs(time), inside.length]),
    );
    for (const { time, vwap } of detailed) {
      const inside = expected.get(time)!;
      const turnover = inside.reduce((sum, { price, size }) => sum + price * Number(size), 0);
      expect(Math.abs(vwap! - turnover / Number(sumOf(inside)))).toBeLessThan(10 ** -spec.digits);
    }
  }
}

describe.each(recordingSets('binance-spot'))('volume at price of Binance trades, %s recordings', (set, path) => {
  describe.each(['BTCUSDT', 'ETHUSDT'])('%s', (symbol) => {
    const spec = specOf(symbol);
    const file = path(`binance-spot/${symbol.toLowerCase()}_20240808.gz`);
    let trades: RawTrade[];
    beforeAll(() => {
      trades = binanceTrades(readFileSync(file));
      expect(trades.length).toBeGreaterThan(1_000);
    });

    test('an import has the levels of the trades', async () => {
      await withStore(folder(), async ({ market: store }) => {
        await runImport({ files: [file], options: { format: 'auto' }, instrument: spec, instruments: [spec], store });
        const sources = { store, view: new MarketView([spec]), generate: null };
        await expectSameAsTrades(sources, spec, trades);
        await expectSameDetails(sources, spec, trades);
      });
    });

    // The full recordings have the same trades.
    if (set === 'full') return;
    test('a service that is killed and restarted has them too', async () => {
      await withStore(folder(), async ({ market: store }) => {
        const events = trades.map(eventOf(spec));
        // Some trades come some minutes late, which amends their bars.
        const late = events.filter((_, index) => index % 41 === 0);
        const delivered = [...events.filter((_, index) => index % 41 !== 0), ...late];
        const cuts = [0, 0.3, 0.31, 0.8, 1].map((part) => Math.floor(part * delivered.length));
        let view!: MarketView;
        for (let run = 0; run + 1 < cuts.length; run++)
          view = await runService(store, spec, delivered.slice(cuts[run]!, cuts[run + 1]!));
        await expectSameAsTrades({ store, view, generate: null }, spec, trades);
        await expectSameDetails({ store, view, generate: null }, spec, trades);
      });
    });
  });
});

const eventOf =
  (spec: InstrumentSpec) =>
  ({ time, price, size, side }: RawTrade): TradeEvent => ({
    kind: 'trade',
    symbol: spec.symbol,
    time: asEpochMs(time),
    price,
    size: Number(size) / 1e8,
    side,
    sideMethod: null,
  });

/** Restores, runs the events and dies: everything is on the tape, but not every closed bar is stored. */
async function runService(
  store: MarketStore,
  spec: InstrumentSpec,
  events: readonly TradeEvent[],
): Promise<MarketView> {
  const engine = new Engine([spec]);
  const view = new MarketView([spec]);
  const barsUntil = (await store.number('bars_until')) ?? 0;
  const recorder = new Recorder({ store, instruments: [spec], log: silentLog, barsUntil });
  const restored = await restoreMarket({ store, instruments: [spec], engine, view, recorder });
  let at = (restored?.seq ?? 0) + 1;
  for (let from = 0; from < events.length; from += 500) {
    const out: EngineEvent[] = [];
    const batch = events.slice(from, from + 500);
    engine.apply({ kind: 'clock', time: batch[0]!.time }, out);
    for (const event of batch) engine.apply(event, out);
    view.read({ firstSeq: at, source: 'test', events: out });
    recorder.read({ firstSeq: at, source: 'test', events: out });
    at += out.length;
    await recorder.flush();
  }
  await recorder.drain();
  expect(recorder.failure).toBeNull();
  return view;
}
