// Properties of the verifier that hold for any market. TICKWIRE_TEST_PROPERTY_RUNS sets the number of markets; CI tries 2,000.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { interleaved } from '../../../testing/signals/interleaved-feed.fixture.ts';
import { mirrored, reflection } from '../../../testing/signals/mirrored-feed.fixture.ts';
import { type NaiveClosing, type NaiveOutcome, naiveOutcome } from '../../../testing/signals/naive-judge.fixture.ts';
import {
  followNaively,
  type NaiveEvent,
  naiveInTicks,
  naiveMarketAt,
} from '../../../testing/signals/naive-market.fixture.ts';
import { oppositeHistory } from '../../../testing/signals/opposite-feed.fixture.ts';
import {
  calmHistory,
  feedOf,
  type History,
  MIDDLE,
  timelessHistory,
  wildHistory,
} from '../../../testing/signals/random-feed.fixture.ts';
import { type Outcomes, verifierOutcomes } from '../../../testing/signals/verifier-run.fixture.ts';

const RUNS = { numRuns: Number(process.env.TICKWIRE_TEST_PROPERTY_RUNS ?? 500) };
const LIMIT_MS = 60_000;

const coursesOf = (history: History, restartAfter?: ReadonlySet<number>): Outcomes =>
  verifierOutcomes([history.spec], feedOf(history), history.postings, restartAfter);

function naiveCoursesOf({ spec, events, postings }: History): Outcomes {
  const ticks = naiveInTicks(events, spec.digits);
  return new Map(
    postings.map(({ id, request, publishedAt, index, manual }) => [
      id,
      naiveOutcome(spec, request, publishedAt, ticks, index, manual),
    ]),
  );
}

const closingsOf = (history: History): (NaiveClosing | null)[] => {
  const outcomes = coursesOf(history);
  return history.postings.map(({ id }) => (outcomes.get(id) as NaiveOutcome).closing);
};

/**
 * The tape does not say which trades were missed. Restarts therefore happen only where none came since the last quote.
 */
function knownMoments(events: readonly NaiveEvent[]): number[] {
  const market = naiveMarketAt(events, 0);
  let traded = false;
  return events.flatMap((event, index) => {
    traded = event.kind !== 'quote' && (traded || (event.kind === 'trade' && market.cut));
    followNaively(market, event);
    return traded ? [] : [index];
  });
}

/** Ignores the order in which the signals closed. */
const byId = (outcomes: Outcomes): object => Object.fromEntries([...outcomes].sort(([a], [b]) => (a < b ? -1 : 1)));

describe('the verifier', () => {
  test(
    'agrees with the naive judge on quotes',
    () => {
      fc.assert(
        fc.property(calmHistory(), (history) => {
          expect(byId(coursesOf(history))).toEqual(byId(naiveCoursesOf(history)));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test(
    'agrees with the naive judge on missed trades, bars, disconnects, gaps and late ticks',
    () => {
      fc.assert(
        fc.property(wildHistory(), (history) => {
          expect(byId(coursesOf(history))).toEqual(byId(naiveCoursesOf(history)));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test(
    'gives the same outcome, pips and R if prices and direction are mirrored together',
    () => {
      const axis = 2 * MIDDLE;
      fc.assert(
        fc.property(wildHistory(), (history) => {
          const image = reflection(history.spec.digits, axis);
          const ofPrice = (price: number | null): number | null => (price === null ? null : image(price));
          // Percentages have another base there.
          const imageOf = (outcome: NaiveOutcome): NaiveOutcome => ({
            ...outcome,
            entry_price: ofPrice(outcome.entry_price),
            closing: outcome.closing && {
              ...outcome.closing,
              exit_price: ofPrice(outcome.closing.exit_price),
              pnl_percent: Math.sign(outcome.closing.pnl_percent),
            },
          });
          const withSign = (outcome: NaiveOutcome): NaiveOutcome => ({
            ...outcome,
            closing: outcome.closing && { ...outcome.closing, pnl_percent: Math.sign(outcome.closing.pnl_percent) },
          });
          const each = (outcomes: Outcomes, change: (outcome: NaiveOutcome) => NaiveOutcome): Outcomes =>
            new Map([...outcomes].map(([id, outcome]) => [id, 'refused' in outcome ? outcome : change(outcome)]));
          const there = coursesOf(mirrored(history, axis));
          expect(byId(each(there, imageOf))).toEqual(byId(each(coursesOf(history), withSign)));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test('gives mirrored signals opposite pips before spread if each level is hit to the tick', () => {
    let closed = 0;
    fc.assert(
      fc.property(oppositeHistory(1), (history) => {
        const [buys, sells] = closingsOf(history);
        expect(buys === null).toBe(sells === null);
        if (!buys || !sells) return;
        closed++;
        expect([buys.pnl + sells.pnl, buys.closed_at]).toEqual([0, sells.closed_at]);
      }),
      RUNS,
    );
    expect(closed).toBeGreaterThan(RUNS.numRuns / 2);
  });

  test('differs for mirrored signals only by the distance a stop was gapped through', () => {
    let slipped = 0;
    fc.assert(
      fc.property(oppositeHistory(12), (history) => {
        const [buys, sells] = closingsOf(history);
        if (!buys || !sells) return;
        const stopped = history.postings.find((_, at) => [buys, sells][at]!.reason === 'stop_loss');
        const exit = buys.reason === 'stop_loss' ? buys.exit_price! : sells.exit_price!;
        const { pipSize } = history.spec;
        const slip = stopped ? Math.abs(exit - stopped.request.stop_loss) / pipSize : 0;
        if (slip > 0.05) slipped++;
        expect(buys.pnl + sells.pnl).toBeCloseTo(-slip, 6);
      }),
      RUNS,
    );
    expect(slipped).toBeGreaterThan(RUNS.numRuns / 4);
  });

  test(
    'judges each instrument independently of the ticks of others',
    () => {
      const histories = fc.tuple(timelessHistory('ONE'), timelessHistory('TWO'), timelessHistory('THREE'));
      const picks = fc.array(fc.nat(2), { minLength: 1, maxLength: 50 });
      fc.assert(
        fc.property(histories, picks, (alone, turns) => {
          const together = interleaved(alone, turns);
          const specs = alone.map(({ spec }) => spec);
          const outcomes = verifierOutcomes(specs, together.feed, together.postings);
          const expected = new Map(alone.flatMap((history) => [...coursesOf(history)]));
          expect(byId(together.ownNumbers(outcomes))).toEqual(byId(expected));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test(
    'gives the same result across restarts, except between a missed trade and the next quote',
    () => {
      const places = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(wildHistory(), places, (history, restarts) => {
          const { events } = history;
          const moments = knownMoments(events);
          const restartAfter = new Set(restarts.map((place) => moments[place % moments.length]!));
          expect(byId(coursesOf(history, restartAfter))).toEqual(byId(coursesOf(history)));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );
});
