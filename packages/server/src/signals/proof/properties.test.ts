// What must hold of the verifier whatever the market does.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { interleaved } from './interleaved-feed.fixture.ts';
import { mirrored, reflection } from './mirrored-feed.fixture.ts';
import { type NaiveClosing, type NaiveCourse, naiveCourse } from './naive-judge.fixture.ts';
import { followNaively, type NaiveEvent, naiveInTicks, naiveMarketAt } from './naive-market.fixture.ts';
import { oppositeHistory } from './opposite-feed.fixture.ts';
import { calmHistory, feedOf, type History, MIDDLE, timelessHistory, wildHistory } from './random-feed.fixture.ts';
import { type Courses, verifierCourses } from './verifier-run.fixture.ts';

const RUNS = { numRuns: 2_000 };
const LIMIT_MS = 60_000;

const coursesOf = (history: History, restartAfter?: ReadonlySet<number>): Courses =>
  verifierCourses([history.spec], feedOf(history), history.postings, restartAfter);

function naiveCoursesOf({ spec, events, postings }: History): Courses {
  const ticks = naiveInTicks(events, spec.digits);
  return new Map(
    postings.map(({ id, request, publishedAt, index, manual }) => [
      id,
      naiveCourse(spec, request, publishedAt, ticks, index, manual),
    ]),
  );
}

const closingsOf = (history: History): (NaiveClosing | null)[] => {
  const courses = coursesOf(history);
  return history.postings.map(({ id }) => (courses.get(id) as NaiveCourse).closing);
};

/** Which trades were missed is not on the tape, and so not known again: places where none has come since the last quote. */
function knownMoments(events: readonly NaiveEvent[]): number[] {
  const market = naiveMarketAt(events, 0);
  let traded = false;
  return events.flatMap((event, index) => {
    traded = event.kind !== 'quote' && (traded || (event.kind === 'trade' && market.cut));
    followNaively(market, event);
    return traded ? [] : [index];
  });
}

/** Without the order in which the signals ended. */
const byId = (courses: Courses): object => Object.fromEntries([...courses].sort(([a], [b]) => (a < b ? -1 : 1)));

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
    'agrees with the naive judge on trades and bars that bridge, on cut-offs, gaps and late ticks',
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
    'keeps course, pips and R where prices and direction are reflected together',
    () => {
      const axis = 2 * MIDDLE;
      fc.assert(
        fc.property(wildHistory(), (history) => {
          const image = reflection(history.spec.digits, axis);
          const ofPrice = (price: number | null): number | null => (price === null ? null : image(price));
          // Percent are of another base there.
          const imageOf = (course: NaiveCourse): NaiveCourse => ({
            ...course,
            entry_price: ofPrice(course.entry_price),
            closing: course.closing && {
              ...course.closing,
              exit_price: ofPrice(course.closing.exit_price),
              pnl_percent: Math.sign(course.closing.pnl_percent),
            },
          });
          const withSign = (course: NaiveCourse): NaiveCourse => ({
            ...course,
            closing: course.closing && { ...course.closing, pnl_percent: Math.sign(course.closing.pnl_percent) },
          });
          const each = (courses: Courses, change: (course: NaiveCourse) => NaiveCourse): Courses =>
            new Map([...courses].map(([id, course]) => [id, 'refused' in course ? course : change(course)]));
          const there = coursesOf(mirrored(history, axis));
          expect(byId(each(there, imageOf))).toEqual(byId(each(coursesOf(history), withSign)));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test('gives mirrored signals opposite pips before spread: the same levels from the other side, each met to the tick', () => {
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

  test('takes from mirrored signals together what a stop was gapped through by, and nothing else', () => {
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
    'judges each instrument as if it were alone, however their ticks come in between',
    () => {
      const histories = fc.tuple(timelessHistory('ONE'), timelessHistory('TWO'), timelessHistory('THREE'));
      const picks = fc.array(fc.nat(2), { minLength: 1, maxLength: 50 });
      fc.assert(
        fc.property(histories, picks, (alone, turns) => {
          const together = interleaved(alone, turns);
          const specs = alone.map(({ spec }) => spec);
          const courses = verifierCourses(specs, together.feed, together.postings);
          const expected = new Map(alone.flatMap((history) => [...coursesOf(history)]));
          expect(byId(together.ownNumbers(courses))).toEqual(byId(expected));
        }),
        RUNS,
      );
    },
    LIMIT_MS,
  );

  test(
    'comes to the same in pieces, taken up at any moment but between a missed trade and the next quote',
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
