// Requirements on every store: news and the moves after it.

import { describe, expect, test } from 'bun:test';
import { NEWS_CATEGORIES, type NewsDetail } from '@tickwire/contract';
import { asSymbol, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Move, NewsFilter, NewsPosition, NewsStore } from '../../src/store/news-store.ts';
import type { Store } from '../../src/store/store.ts';
import { move, news } from './news-samples.fixture.ts';
import { MONDAY } from './samples.fixture.ts';

/** `current` returns the store of the running test. */
export function newsStoreContract(current: () => Store): void {
  const store = (): NewsStore => current().news;
  const ids = async (limit = 100): Promise<string[]> => (await store().newest(limit)).map(({ item }) => item.id);
  const due = async (horizon: number, from = 0, to = 2 * MONDAY, limit = 100): Promise<string[]> =>
    (await store().due(horizon, from, to, limit)).map(({ id }) => id);

  describe('news', () => {
    test('an empty store has no items, no due moves and no calibration', async () => {
      expect(await store().newest(10)).toEqual([]);
      expect(await store().due(15, 0, 2 * MONDAY, 10)).toEqual([]);
      expect(await store().calibration()).toEqual({ rows: [], since: null });
      expect(await store().prune(2 * MONDAY)).toBe(0);
      await store().put([]);
      await store().putMoves([]);
    });

    test('is returned as it was stored, whatever its title contains', async () => {
      const items = [
        { ...news('b', 2, { title: 'ä € 金 “quoted” \\ \u2028 🟡', symbols: ['XAUUSD', 'EURUSD'] }), guid: 'urn:b ü' },
        news('a', 1, { url: 'https://example.org/?a=1&b=%27', sentiment_score: -0.1234 }),
      ];
      await store().put(items);
      expect(await store().newest(10)).toEqual(items);
      expect([await store().item('b'), await store().item('none')]).toEqual([items[0]!.item, undefined]);
    });

    test('the newest by publication time come first, then by id, whenever they were received', async () => {
      const late = { ...news('late', 1), seenAt: MONDAY + 5 * MINUTE_MS };
      await store().put([news('b', 2), late, news('a', 1), news('z', 1), news('c', 3)]);
      expect(await ids()).toEqual(['c', 'b', 'z', 'late', 'a']);
      expect(await ids(2)).toEqual(['c', 'b']);
    });

    test('moves of items that are not stored count, once', async () => {
      const of = { seenAt: MONDAY, model: 'm', category: 'gold', sentiment: 'bullish' } as const;
      const moves = [
        { ...move('past', 0.5), ...of },
        { ...move('other', -0.1), ...of },
        { ...move('closed', null), ...of },
      ];
      await store().putMeasured(moves);
      await store().putMeasured([{ ...moves[0]!, percent: -9 }]);
      await store().putMeasured([]);
      const { rows, since } = await store().calibration();
      expect(since).toBe(MONDAY);
      expect(rows).toMatchObject([{ model: 'm', category: 'gold', sentiment: 'bullish', items: 2, hits: 1 }]);
    });

    test('an item replaces the one with the same id', async () => {
      await store().put([news('a', 1), news('b', 2)]);
      const revised = news('a', 1, { title: 'Headline a, updated', revision: 1, cluster: 2 });
      await store().put([revised]);
      expect(await store().newest(10)).toEqual([news('b', 2), revised]);
    });

    test('recount changes the number of sources and nothing else', async () => {
      await store().put([news('a', 1, { title: '"quoted" \u2028', sentiment_score: 0.1 }), news('b', 2)]);
      await store().recount('a', 4);
      await store().recount('none', 9);
      expect((await store().newest(10))[1]).toEqual(
        news('a', 1, { title: '"quoted" \u2028', sentiment_score: 0.1, cluster: 4 }),
      );
      expect((await store().newest(10))[0]!.item.cluster).toBe(1);
    });

    test('prune deletes items published before a time', async () => {
      await store().put([news('a', 0), news('b', 1), news('c', 2)]);
      expect(await store().prune(MONDAY + MINUTE_MS)).toBe(1);
      expect(await ids()).toEqual(['c', 'b']);
    });
  });

  describe('pages of news', () => {
    const ALL: NewsFilter = { categories: NEWS_CATEGORIES, symbol: null, from: 0, except: null };
    const END: NewsPosition = { time: 2 * MONDAY, id: '' };
    const page = async (place: NewsPosition = END, filter: Partial<NewsFilter> = {}, limit = 100): Promise<string> =>
      (await store().pageAfter(place, { ...ALL, ...filter }, limit)).map(({ id }) => id).join('');
    const fill = (): Promise<void> =>
      store().put([
        news('a', 1, { category: 'gold', symbols: ['XAUUSD'] }),
        news('b', 2, { category: 'forex', symbols: ['EURUSD', 'GBPUSD'] }),
        news('d', 2, { category: 'gold', symbols: ['XAUUSD', 'EURUSD'] }),
        news('c', 2, { category: 'macro', symbols: [], source: 'another wire' }),
        news('e', 3, { category: 'gold', symbols: ['XAUUSD', 'XAUUSD'] }),
      ]);

    test('begin after a position, for any categories, and end at the limit', async () => {
      await fill();
      expect(await page()).toBe('edcba');
      expect(await page({ time: MONDAY + 2 * MINUTE_MS, id: 'c' })).toBe('ba');
      expect(await page({ time: MONDAY + 2 * MINUTE_MS, id: 'cc' }, {}, 2)).toBe('cb');
      expect(await page({ time: MONDAY + 2 * MINUTE_MS, id: '' })).toBe('a');
      expect(await page({ time: 0, id: '' })).toBe('');
    });

    test('are filtered by category, symbol, time and source', async () => {
      await fill();
      expect(await page(END, { categories: ['gold', 'forex'] })).toBe('edba');
      expect(await page(END, { categories: [] })).toBe('');
      expect(await page(END, { symbol: 'EURUSD' })).toBe('db');
      expect(await page(END, { symbol: 'XAUUSD', categories: ['gold'] }, 2)).toBe('ed');
      expect(await page(END, { symbol: 'NOSUCH' })).toBe('');
      expect(await page(END, { from: MONDAY + 2 * MINUTE_MS })).toBe('edcb');
      expect(await page(END, { except: 'a wire' })).toBe('c');
      const [, second] = await store().pageAfter(END, ALL, 2);
      expect(second).toEqual(news('d', 2, { category: 'gold', symbols: ['XAUUSD', 'EURUSD'] }).item);
    });

    test('reflect revisions, new cluster counts and pruning', async () => {
      await fill();
      await store().put([news('e', 3, { category: 'macro', symbols: ['GBPUSD'], revision: 1 })]);
      await store().recount('d', 7);
      expect([await page(END, { symbol: 'XAUUSD' }), await page(END, { symbol: 'GBPUSD' })]).toEqual(['da', 'eb']);
      expect((await store().pageAfter(END, { ...ALL, categories: ['gold'] }, 1))[0]).toMatchObject({
        id: 'd',
        cluster: 7,
      });
      await store().prune(MONDAY + 2 * MINUTE_MS);
      expect([await page(), await page(END, { symbol: 'XAUUSD' })]).toEqual(['edcb', 'd']);
    });

    test('publishedAt finds an item by its id', async () => {
      await fill();
      expect(await store().publishedAt('b')).toBe(MONDAY + 2 * MINUTE_MS);
      expect(await store().publishedAt('nobody')).toBeUndefined();
    });

    test('as of a time have only what was stored by then', async () => {
      const known = MONDAY + 10 * MINUTE_MS;
      await store().put([
        news('a', 1, { category: 'gold', sentiment_score: 0.5 }),
        { ...news('b', 2, { category: 'gold' }), knownAt: known },
      ]);
      expect([await page(END, { knownBy: known - 1 }), await page(END, { knownBy: known })]).toEqual(['a', 'ba']);
      expect([await store().item('b', known - 1), (await store().item('b', known))?.id]).toEqual([undefined, 'b']);
      expect([await store().publishedAt('b', known - 1), await store().publishedAt('b', known)]).toEqual([
        undefined,
        MONDAY + 2 * MINUTE_MS,
      ]);
      const counted = async (knownBy: number): Promise<number[]> =>
        (await store().sentiment({ ...ALL, knownBy }, HOUR_MS)).map(({ neutral }) => neutral);
      expect([await counted(MONDAY), await counted(known - 1), await counted(known)]).toEqual([[], [1], [2]]);
      await store().put([{ ...news('a', 1, { revision: 1 }), knownAt: known + 1 }]);
      expect(await page(END, { knownBy: known })).toBe('b');
      const replaced = async (time: number): Promise<unknown[]> =>
        (await store().replacedAfter(time)).map(({ id, revision, sentiment_score }) => [id, revision, sentiment_score]);
      expect(await replaced(MONDAY)).toEqual([]);
      expect(await replaced(known)).toEqual([['a', 0, 0.5]]);
      expect(await replaced(known + 1)).toEqual([]);
      await store().prune(known);
      expect(await replaced(known)).toEqual([]);
    });

    test('revisions are read in the order in which they became known', async () => {
      const known = (minute: number): number => MONDAY + minute * MINUTE_MS;
      await store().put([news('b', 5), news('a', 5), news('c', 1), news('d', 30)]);
      await store().put([{ ...news('c', 1, { revision: 1 }), knownAt: known(5) }]);
      await store().put([{ ...news('c', 1, { revision: 2 }), knownAt: known(7) }]);
      const read = async (knownAt: number, id: string, to: number, limit = 100): Promise<unknown[]> =>
        (await store().revisionsAfter({ knownAt, id }, to, limit)).map(({ knownAt: at, item, revised }) => [
          (at - MONDAY) / MINUTE_MS,
          `${item.id}${item.revision}`,
          revised,
        ]);
      const all = [
        [1, 'c0', false],
        [5, 'a0', false],
        [5, 'b0', false],
        [5, 'c1', true],
        [7, 'c2', true],
      ];
      expect(await read(0, '', known(29))).toEqual(all);
      expect(await read(known(5), '', known(6))).toEqual(all.slice(1, 4));
      expect(await read(known(5), 'a', known(30), 2)).toEqual(all.slice(2, 4));
      expect(await read(known(30), 'd', known(60))).toEqual([]);
    });

    test('sentiment is counted and averaged per interval and category', async () => {
      const scored = (id: string, minute: number, sentiment: NewsDetail['sentiment'], score: number) =>
        news(id, minute, { sentiment, sentiment_score: score, category: 'gold', symbols: ['XAUUSD'] });
      await store().put([
        scored('a', 59, 'bullish', 0.5),
        scored('b', 60, 'bullish', 1),
        scored('c', 61, 'bearish', -0.5),
        scored('d', 119, 'neutral', 0.1),
        news('e', 61, { category: 'crypto', symbols: [] }),
      ]);
      const none = { bullish: 0, neutral: 0, bearish: 0 };
      const first = { time: MONDAY, category: 'gold' as const, ...none, bullish: 1, meanScore: 0.5 };
      const crypto = { time: MONDAY + HOUR_MS, category: 'crypto' as const, ...none, neutral: 1, meanScore: 0.1 };
      const rows = await store().sentiment(ALL, HOUR_MS);
      expect(rows).toMatchObject([
        first,
        crypto,
        { time: MONDAY + HOUR_MS, category: 'gold', bullish: 1, neutral: 1, bearish: 1 },
      ]);
      expect(rows[2]!.meanScore).toBeCloseTo(0.2, 12);
      expect(await store().sentiment({ ...ALL, from: MONDAY + HOUR_MS, categories: ['crypto'] }, HOUR_MS)).toEqual([
        crypto,
      ]);
      expect(await store().sentiment({ ...ALL, symbol: 'XAUUSD' }, HOUR_MS)).toHaveLength(2);
      expect(await store().sentiment({ ...ALL, except: 'a wire' }, HOUR_MS)).toEqual([]);
    });

    test('sentiment of an instrument, and the label of its move, are those for the instrument', async () => {
      const dollarFalls = news('a', 1, {
        sentiment: 'bearish',
        sentiment_score: -0.9,
        category: 'forex',
        symbols: ['EURUSD', 'USDJPY'],
        sentiments: [
          { symbol: 'EURUSD', sentiment: 'bullish', sentiment_score: 0.8 },
          { symbol: 'USDJPY', sentiment: 'bearish', sentiment_score: -0.7 },
        ],
      });
      await store().put([dollarFalls]);
      const [all] = await store().sentiment(ALL, HOUR_MS);
      expect(all).toMatchObject({ bearish: 1, meanScore: -0.9 });
      const [euro] = await store().sentiment({ ...ALL, symbol: 'EURUSD' }, HOUR_MS);
      expect(euro).toMatchObject({ bullish: 1, bearish: 0, meanScore: 0.8 });
      await store().putMoves([{ ...move('a', 1), symbol: asSymbol('EURUSD') }]);
      expect((await store().calibration()).rows).toMatchObject([{ sentiment: 'bullish', hits: 1 }]);
    });
  });

  describe('moves after news', () => {
    test('are due from when the item was received, oldest first, until measured, per horizon', async () => {
      await store().put([news('c', 3), news('a', 1, { symbols: ['XAUUSD'], category: 'gold' }), news('b', 2)]);
      expect(await due(15)).toEqual(['a', 'b', 'c']);
      expect(await due(15, 0, 2 * MONDAY, 2)).toEqual(['a', 'b']);
      // From inclusive, to exclusive.
      expect(await due(15, MONDAY + MINUTE_MS, MONDAY + 3 * MINUTE_MS)).toEqual(['a', 'b']);
      expect((await store().due(15, 0, 2 * MONDAY, 1))[0]).toEqual({
        id: 'a',
        publishedAt: MONDAY + MINUTE_MS,
        seenAt: MONDAY + MINUTE_MS,
        source: 'a wire',
        category: 'gold',
        symbols: ['XAUUSD'],
      });
      await store().putMoves([move('a', 1), move('b', null)]);
      expect(await due(15)).toEqual(['c']);
      expect(await due(60)).toEqual(['a', 'b', 'c']);
    });

    test('are measured once: the first value stays, and a revision does not make it due again', async () => {
      const bullish = { sentiment: 'bullish', category: 'gold' } as const;
      await store().put([news('a', 1, bullish)]);
      await store().putMoves([move('a', 2)]);
      await store().putMoves([move('a', -7)]);
      await store().put([news('a', 1, { ...bullish, sentiment: 'bearish', revision: 1 })]);
      expect(await due(15)).toEqual([]);
      const { rows } = await store().calibration();
      expect(rows).toMatchObject([{ sentiment: 'bullish', items: 1, hits: 1, averagePercent: 2 }]);
    });

    test('are ignored for an item that does not exist', async () => {
      await store().putMoves([move('none', 1)]);
      expect((await store().calibration()).rows).toEqual([]);
    });

    test('outlive the item, with its label, model and category', async () => {
      await store().put([news('a', 1, { sentiment: 'bearish', category: 'crypto', model: 'm-2' })]);
      await store().putMoves([move('a', -0.5, 60)]);
      await store().prune(MONDAY + DAY_MS);
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
        since: MONDAY + MINUTE_MS,
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

    test('a hit is a rise after bullish and a fall after bearish; no move is neither', async () => {
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

    test('a hit after neutral is a move smaller than the mean absolute move of the category and horizon', async () => {
      // The mean of 4, 1, 0.5 and 2.5 is 2; another category and another horizon do not change it.
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

    test('after neutral, a move of exactly the mean is not a hit', async () => {
      await measured([
        ['neutral', 2],
        ['neutral', -2],
      ]);
      expect(await hits()).toEqual({ neutral: '0/2' });
    });

    test('unmeasured moves are not counted', async () => {
      await measured([
        ['bullish', null],
        ['bearish', null],
      ]);
      expect(await store().calibration()).toEqual({ rows: [], since: null });
      await store().putMoves([move('i1', -1, 60)]);
      expect((await store().calibration()).since).toBe(MONDAY + MINUTE_MS);
    });

    test('is sorted by model, category, label and horizon', async () => {
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
