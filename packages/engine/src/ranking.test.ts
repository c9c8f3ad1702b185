import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Contender, rankPublishers } from './ranking.ts';
import { closed, recordOf } from './track-record.fixture.ts';

/** `n` signals, of which every `everyth` loses 1 R and the others win `win` R. */
function publisher(name: string, n: number, everyth: number, win: number): Contender {
  const outcomes = Array.from({ length: n }, (_, i) => closed(i % everyth === 0 ? -1 : win));
  return { name, summary: recordOf(outcomes).summary() };
}

const order = (publishers: readonly Contender[]) => rankPublishers(publishers).map(({ name, rank }) => [name, rank]);

describe('ranking of publishers', () => {
  test('a long record goes before a short one that looks better, and only it has a rank', () => {
    const lucky = publisher('lucky', 8, 8, 5);
    const steady = publisher('steady', 200, 2, 1.4);
    expect(lucky.summary.averageR!).toBeGreaterThan(steady.summary.averageR!);
    expect(order([lucky, steady])).toEqual([
      ['steady', 1],
      ['lucky', null],
    ]);
  });

  test('first by probability, then by total R, then by name', () => {
    const fair = publisher('fair', 100, 2, 1.5);
    const sure = publisher('sure', 400, 3, 2);
    const alsoSure = publisher('also sure', 400, 3, 2);
    const surest = publisher('more of it', 500, 3, 2);
    expect(surest.summary.probabilisticSharpe).toBe(sure.summary.probabilisticSharpe);
    expect(fair.summary.probabilisticSharpe!).toBeLessThan(1);
    expect(order([fair, sure, alsoSure, surest])).toEqual([
      ['more of it', 1],
      ['also sure', 2],
      ['sure', 3],
      ['fair', 4],
    ]);
  });

  test('those without a rank follow by the number of their signals, then by name, losers among them', () => {
    const loser = publisher('loser', 500, 2, 0.5);
    expect(order([publisher('b', 3, 5, 1), publisher('a', 3, 5, 1), publisher('c', 20, 5, 1), loser])).toEqual([
      ['loser', null],
      ['c', null],
      ['a', null],
      ['b', null],
    ]);
  });

  test('in whatever order they come, ranks run from 1 without a hole and the result is the same', () => {
    const some = fc.record({ n: fc.nat(80), everyth: fc.integer({ min: 2, max: 6 }), win: fc.constantFrom(0.5, 1, 2) });
    const field = fc.array(some, { maxLength: 12 }).chain((all) => {
      const publishers = all.map(({ n, everyth, win }, index) => publisher(`p${index}`, n, everyth, win));
      const { length } = publishers;
      return fc.tuple(
        fc.constant(publishers),
        fc.shuffledSubarray(publishers, { minLength: length, maxLength: length }),
      );
    });
    fc.assert(
      fc.property(field, ([publishers, mixed]) => {
        const ranking = rankPublishers(publishers);
        expect(rankPublishers(mixed)).toEqual(ranking);
        const ranked = publishers.filter(({ summary }) => summary.meaningful).length;
        expect(ranking.map(({ rank }) => rank)).toEqual(
          publishers.map((_, index) => (index < ranked ? index + 1 : null)),
        );
      }),
    );
  });
});
