// What must hold of the verifier whatever the market does.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { naiveCourse } from './naive-judge.fixture.ts';
import { naiveInTicks } from './naive-market.fixture.ts';
import { calmHistory, feedOf, type History, wildHistory } from './random-feed.fixture.ts';
import { type Courses, verifierCourses } from './verifier-run.fixture.ts';

const RUNS = { numRuns: 60_000 };

function naiveCourses({ spec, events, postings }: History): Courses {
  const ticks = naiveInTicks(events, spec.digits);
  return new Map(
    postings.map(({ id, request, publishedAt, index, manual }) => [
      id,
      naiveCourse(spec, request, publishedAt, ticks, index, manual),
    ]),
  );
}

const sorted = (courses: Courses) => Object.fromEntries([...courses].sort(([a], [b]) => (a < b ? -1 : 1)));

describe('the verifier', () => {
  test('agrees with the naive judge on quotes', () => {
    fc.assert(
      fc.property(calmHistory(), (history) => {
        const courses = verifierCourses([history.spec], feedOf(history), history.postings);
        expect(sorted(courses)).toEqual(sorted(naiveCourses(history)));
      }),
      RUNS,
    );
  });

  test('agrees with the naive judge on trades, bars, cut-offs and gaps', () => {
    fc.assert(
      fc.property(wildHistory(), (history) => {
        const courses = verifierCourses([history.spec], feedOf(history), history.postings);
        expect(sorted(courses)).toEqual(sorted(naiveCourses(history)));
      }),
      RUNS,
    );
  });
});
