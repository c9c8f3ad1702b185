import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { closed, recordOf } from '../../testing/track-records.ts';
import { type RankingEntry, rankPublishers } from './ranking.ts';

/** `n` signals: every `lossEvery`th loses 1 R, the others win `win` R. */
function publisher(name: string, n: number, lossEvery: number, win: number): RankingEntry {
  const outcomes = Array.from({ length: n }, (_, i) => closed(i % lossEvery === 0 ? -1 : win));
  return { name, summary: recordOf(outcomes).summary() };
}

const order = (publishers: readonly RankingEntry[]) => rankPublishers(publishers).map(({ name, rank }) => [name, rank]);

describe('ranking of publishers', () => {
  test('puts a long record before a short one that looks better, and ranks only the long one', () => {
    const lucky = publisher('lucky', 8, 8, 5);
    const steady = publisher('steady', 200, 2, 1.4);
    expect(lucky.summary.averageR!).toBeGreaterThan(steady.summary.averageR!);
    expect(order([lucky, steady])).toEqual([
      ['steady', 1],
      ['lucky', null],
    ]);
  });

  test('orders by probability, then by total R, then by name', () => {
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

  test('orders publishers without a rank, losing ones included, by number of signals, then by name', () => {
    const loser = publisher('loser', 500, 2, 0.5);
    expect(order([publisher('b', 3, 5, 1), publisher('a', 3, 5, 1), publisher('c', 20, 5, 1), loser])).toEqual([
      ['loser', null],
      ['c', null],
      ['a', null],
      ['b', null],
    ]);
  });

  test('assigns ranks from 1 without gaps, whatever the order of the input', () => {
    const some = fc.record({
      n: fc.nat(80),
      lossEvery: fc.integer({ min: 2, max: 6 }),
      win: fc.constantFrom(0.5, 1, 2),
    });
    const shuffled = fc.array(some, { maxLength: 12 }).chain((all) => {
      const publishers = all.map(({ n, lossEvery, win }, index) => publisher(`p${index}`, n, lossEvery, win));
      const { length } = publishers;
      return fc.tuple(
        fc.constant(publishers),
        fc.shuffledSubarray(publishers, { minLength: length, maxLength: length }),
      );
    });
    fc.assert(
      fc.property(shuffled, ([publishers, mixed]) => {
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
