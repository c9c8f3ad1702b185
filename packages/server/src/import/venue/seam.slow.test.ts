// Of every venue: fetched history and the live trades after it make the bars that all trades of the venue make, and a restart
// changes none of them.
import { expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asSymbol, type Bar, HOUR_MS, MINUTE_MS, roundSize } from '@tickwire/engine';
import { VENUES_UNDER_TEST, VENUES_WITHOUT_IDS } from '../../../testing/feeds/venues-under-test.fixture.ts';
import { type PastRun, STARTED, storedBars, VenuePast } from '../../../testing/import/venue-past.fixture.ts';
import { HISTORY_LEVELS, levelsAt } from './plan.ts';

/** Some venues do not say whose takers traded: their bars have no volume by side. */
const withoutSides = (bars: readonly Bar[]) =>
  bars.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, roundSize(volume)]);

test.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])(
  'the bars of $name have no seam where its history ends, also after a restart',
  async (venue) => {
    await using past = new VenuePast(venue);
    const symbol = asSymbol(venue.instrument);
    const { oldestBar } = past.connector;
    const levels = levelsAt(STARTED, STARTED, oldestBar);
    /** Where the stored bars of a timeframe begin. */
    const beginning = (timeframe: Timeframe): number => {
      const length = TIMEFRAME_MS[timeframe];
      const { from } = levels[HISTORY_LEVELS.findLast((level) => TIMEFRAME_MS[level] <= length)!];
      return Math.ceil(from / length) * length;
    };
    const stored = async (run: PastRun) => {
      const bars = await storedBars(run.store, past.time, symbol);
      return TIMEFRAMES.map((timeframe) => {
        const from = beginning(timeframe);
        return { timeframe, bars: withoutSides(bars[timeframe].filter(({ time }) => time >= from)) };
      });
    };
    const traded = () =>
      TIMEFRAMES.map((timeframe) => {
        const closed = past.time - (past.time % MINUTE_MS) - TIMEFRAME_MS[timeframe];
        const bars = past.barsOf(timeframe, beginning(timeframe), past.time).filter(({ time }) => time <= closed);
        return { timeframe, bars: withoutSides(bars) };
      });

    let before: Awaited<ReturnType<typeof stored>> = [];
    await past.run(async (run) => {
      await run.live(STARTED + 10_000);
      await run.fetchAll();
      await run.live(STARTED + 4 * MINUTE_MS);
      await run.fetchAll();
      before = await stored(run);
      expect(before).toEqual(traded());
      for (const { bars } of before) expect(bars.length).toBeGreaterThan(40);
    });
    await past.run(async (run) => {
      expect(await stored(run)).toEqual(before);
      await run.live(past.time + HOUR_MS);
      await run.fetchAll();
      expect(await stored(run)).toEqual(traded());
    });
  },
);
