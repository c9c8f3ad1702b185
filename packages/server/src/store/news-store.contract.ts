// What any store must do for news and the moves after it.
import { describe, expect, test } from 'bun:test';
import type { NewsDetail } from '@tickwire/contract';
import { move, news } from './news-samples.fixture.ts';
import type { Move, NewsStore } from './news-store.ts';
import { DAY, MINUTE, MONDAY } from './samples.fixture.ts';
import type { Store } from './store.ts';

/** `current` is the store of the running test. */
export function newsStoreContract(current: () => Store): void {
  const store = (): NewsStore => current().news;
  const ids = async (limit = 100): Promise<string[]> => (await store().newest(limit)).map(({ item }) => item.id);
  const due = async (horizon: number, from = 0, to = 2 * MONDAY, limit = 100): Promise<string[]> =>
    (await store().due(horizon, from, to, limit)).map(({ id }) => id);

  describe('news', () => {
    test('an empty store has none, owes none and has measured none', async () => {
      expect(await store().newest(10)).toEqual([]);
      expect(await store().due(15, 0, 2 * MONDAY, 10)).toEqual([]);
      expect(await store().calibration()).toEqual({ rows: [], since: null });
      expect(await store().prune(2 * MONDAY)).toBe(0);
      await store().put([]);
      await store().putMoves([]);
    });

    test('comes back as it was put in, whatever its title holds', async () => {
      const items = [
        { ...news('b', 2, { title: 'ä € 金 “quoted” \\ \u2028 🟡', symbols: ['XAUUSD', 'EURUSD'] }), guid: 'urn:b ü' },
        news('a', 1, { url: 'https://example.org/?a=1&b=%27', sentiment_score: -0.1234 }),
      ];
      await store().put(items);
      expect(await store().newest(10)).toEqual(items);
    });

    test('the newest by publication come first; of the same time the one that was seen later, then by id', async () => {
      const late = { ...news('late', 1), seenAt: MONDAY + 5 * MINUTE };
      await store().put([news('b', 2), late, news('a', 1), news('z', 1), news('c', 3)]);
      expect(await ids()).toEqual(['c', 'b', 'late', 'z', 'a']);
      expect(await ids(2)).toEqual(['c', 'b']);
    });

    test('an item with the same id takes the place of the one there is', async () => {
      await store().put([news('a', 1), news('b', 2)]);
      const revised = news('a', 1, { title: 'Headline a, updated', revision: 1, cluster: 2 });
      await store().put([revised]);
      expect(await store().newest(10)).toEqual([news('b', 2), revised]);
    });

    test('one more source is counted, and nothing else of the item changes', async () => {
      await store().put([news('a', 1, { title: '"quoted" \u2028', sentiment_score: 0.1 }), news('b', 2)]);
      await store().recount('a', 4);
      await store().recount('none', 9);
      expect((await store().newest(10))[1]).toEqual(
        news('a', 1, { title: '"quoted" \u2028', sentiment_score: 0.1, cluster: 4 }),
      );
      expect((await store().newest(10))[0]!.item.cluster).toBe(1);
    });

    test('what was published before a time is forgotten', async () => {
      await store().put([news('a', 0), news('b', 1), news('c', 2)]);
      expect(await store().prune(MONDAY + MINUTE)).toBe(1);
      expect(await ids()).toEqual(['c', 'b']);
    });
  });

  describe('moves after news', () => {
    test('are due from when the item was seen, oldest first, until measured, each horizon for itself', async () => {
      await store().put([news('c', 3), news('a', 1, { symbols: ['XAUUSD'], category: 'gold' }), news('b', 2)]);
      expect(await due(15)).toEqual(['a', 'b', 'c']);
      expect(await due(15, 0, 2 * MONDAY, 2)).toEqual(['a', 'b']);
      // From inclusive, to exclusive.
      expect(await due(15, MONDAY + MINUTE, MONDAY + 3 * MINUTE)).toEqual(['a', 'b']);
      expect((await store().due(15, 0, 2 * MONDAY, 1))[0]).toEqual({
        id: 'a',
        publishedAt: MONDAY + MINUTE,
        seenAt: MONDAY + MINUTE,
        source: 'a wire',
        category: 'gold',
        symbols: ['XAUUSD'],
      });
      await store().putMoves([move('a', 1), move('b', null)]);
      expect(await due(15)).toEqual(['c']);
      expect(await due(60)).toEqual(['a', 'b', 'c']);
    });

    test('of an item are measured once: the first holds, and a revision does not make it due again', async () => {
      const bullish = { sentiment: 'bullish', category: 'gold' } as const;
      await store().put([news('a', 1, bullish)]);
      await store().putMoves([move('a', 2)]);
      await store().putMoves([move('a', -7)]);
      await store().put([news('a', 1, { ...bullish, sentiment: 'bearish', revision: 1 })]);
      expect(await due(15)).toEqual([]);
      const { rows } = await store().calibration();
      expect(rows).toMatchObject([{ sentiment: 'bullish', items: 1, hits: 1, averagePercent: 2 }]);
    });

    test('of an item that is gone are not taken', async () => {
      await store().putMoves([move('none', 1)]);
      expect((await store().calibration()).rows).toEqual([]);
    });

    test('outlive the item, with the label, the model and the category it had', async () => {
      await store().put([news('a', 1, { sentiment: 'bearish', category: 'crypto', model: 'm-2' })]);
      await store().putMoves([move('a', -0.5, 60)]);
      await store().prune(MONDAY + DAY);
      expect(await ids()).toEqual([]);
      expect(await store().calibration()).toEqual({
        rows: [
          {
            model: 'm-2',
            category: 'crypto',
            sentiment: 'bearish',
            horizonMinutes: 60,
            items: 1,
            hits: 1,
            averagePercent: -0.5,
          },
        ],
        since: MONDAY + MINUTE,
      });
    });
  });

  describe('calibration', () => {
    /** Items with a label and the move after each. */
    async function measured(
      cases: readonly (readonly [NewsDetail['sentiment'], number | null])[],
      changes: Partial<NewsDetail> = {},
      name = 'i',
    ): Promise<void> {
      const moves: Move[] = cases.map(([, percent], index) => move(`${name}${index}`, percent));
      await store().put(cases.map(([sentiment], index) => news(`${name}${index}`, index, { sentiment, ...changes })));
      await store().putMoves(moves);
    }
    const hits = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await store().calibration()).rows.map((row) => [row.sentiment, `${row.hits}/${row.items}`]));

    test('a hit is a rise after bullish, a fall after bearish; no move at all is neither', async () => {
      await measured([
        ['bullish', 0.1],
        ['bullish', -0.1],
        ['bullish', 0],
        ['bearish', -3],
        ['bearish', 3],
        ['bearish', 0],
      ]);
      expect(await hits()).toEqual({ bullish: '1/3', bearish: '1/3' });
    });

    test('after neutral it is less than the mean absolute move of all items of the category and horizon', async () => {
      // The mean of 4, 1, 0.5 and 2.5 is 2; another category and another horizon move it not.
      await measured([
        ['bullish', 4],
        ['neutral', -1],
        ['neutral', 0.5],
        ['neutral', -2.5],
      ]);
      await measured([['bullish', 100]], { category: 'gold' }, 'other');
      await store().putMoves([move('i0', 100, 60)]);
      const rows = (await store().calibration()).rows.filter(({ sentiment }) => sentiment === 'neutral');
      expect(rows).toMatchObject([{ items: 3, hits: 2, averagePercent: -1 }]);
    });

    test('after neutral a move of exactly the mean is no hit', async () => {
      await measured([
        ['neutral', 2],
        ['neutral', -2],
      ]);
      expect(await hits()).toEqual({ neutral: '0/2' });
    });

    test('what could not be measured counts nowhere', async () => {
      await measured([
        ['bullish', null],
        ['bearish', null],
      ]);
      expect(await store().calibration()).toEqual({ rows: [], since: null });
      await store().putMoves([move('i1', -1, 60)]);
      expect((await store().calibration()).since).toBe(MONDAY + MINUTE);
    });

    test('is by model, category, label and horizon, in that order', async () => {
      for (const [model, category] of [
        ['b', 'gold'],
        ['a', 'macro'],
        ['a', 'crypto'],
      ] as const)
        await measured(
          [
            ['neutral', 1],
            ['bearish', 1],
          ],
          { model, category },
          `${model}${category}`,
        );
      await store().putMoves([move('acrypto0', 1, 240)]);
      const rows = (await store().calibration()).rows.map(({ model, category, sentiment, horizonMinutes }) =>
        [model, category, sentiment, horizonMinutes].join(' '),
      );
      expect(rows).toEqual([
        'a crypto bearish 15',
        'a crypto neutral 15',
        'a crypto neutral 240',
        'a macro bearish 15',
        'a macro neutral 15',
        'b gold bearish 15',
        'b gold neutral 15',
      ]);
    });
  });
}
