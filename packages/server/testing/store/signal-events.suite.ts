// Requirements on every store: announced records in log order.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import type { SignalStore, SignalWrite } from '../../src/store/signal-store.ts';
import type { Store } from '../../src/store/store.ts';
import { EURUSD, MONDAY, XAUUSD } from './samples.fixture.ts';
import { closed, fill, of, published, record, records, write } from './signal-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function signalEventsContract(current: () => Store): void {
  const store = (): SignalStore => current().signals;
  const put = (changes: Partial<SignalWrite>): Promise<void> => store().write(write(changes));
  /** Stream, number, and number of the publication. */
  const numbers = async (after: number, limit = 100): Promise<[string, number, number][]> =>
    (await store().events(after, limit)).map(({ stream, record: { n }, published: { n: by } }) => [stream, n, by]);

  /** Two instruments; signals close in another order than they were published; records 5 and 8 are not announced. */
  const tenRecords = async (): Promise<void> => {
    await put({
      records: records(0, 5),
      published: [published(1), published(2, { symbol: XAUUSD }), published(3), published(4, { symbol: XAUUSD })],
    });
    const ending = [closed('sig_4', 7), closed('sig_1', 10, { rankR: 0.75 })];
    await put({
      records: records(5, 6),
      ofSignals: [
        of(6, 'sig_1', 'filled'),
        of(7, 'sig_4', 'closed'),
        of(8, 'sig_3', null),
        of(9, 'sig_1', 'changed'),
        of(10, 'sig_1', 'closed'),
      ],
      fills: [fill('sig_1', MONDAY + 9)],
      closed: ending,
      sealed: [{ day: '2026-03-02', symbol: EURUSD, n: 5 }],
    });
  };

  describe('signal events', () => {
    test('are announced records in log order, whatever lies between them', async () => {
      expect(await numbers(-1)).toEqual([]);
      await tenRecords();
      expect(await numbers(0)).toEqual([
        ['published', 1, 1],
        ['published', 2, 2],
        ['published', 3, 3],
        ['published', 4, 4],
        ['filled', 6, 1],
        ['closed', 7, 4],
        ['changed', 9, 1],
        ['closed', 10, 1],
      ]);
    });

    test('are paged by number without overlap', async () => {
      await tenRecords();
      expect(await numbers(2, 3)).toEqual([
        ['published', 3, 3],
        ['published', 4, 4],
        ['filled', 6, 1],
      ]);
      expect(await numbers(7, 2)).toEqual([
        ['changed', 9, 1],
        ['closed', 10, 1],
      ]);
      expect(await numbers(10)).toEqual([]);
      expect(await numbers(0, 1)).toEqual([['published', 1, 1]]);
    });

    test('contain their records and the closing of the signal', async () => {
      await tenRecords();
      const [publication, , , , filled, unfilled, changed, ending] = await store().events(0, 10);
      const of1 = { published: record(1), closed: record(10) };
      expect(publication).toEqual({ stream: 'published', record: record(1), ...of1 });
      expect(filled).toEqual({ stream: 'filled', record: record(6), ...of1 });
      expect(unfilled).toEqual({ stream: 'closed', record: record(7), published: record(4), closed: record(7) });
      expect(changed).toEqual({ stream: 'changed', record: record(9), ...of1 });
      expect(ending).toEqual({ stream: 'closed', record: record(10), ...of1 });
    });

    test('the last events of each instrument are known as of any record', async () => {
      await tenRecords();
      const asOf = async (until: number) => {
        const last = await store().lastEventNumbers([EURUSD, XAUUSD, 'NONE'], until);
        return [...last].map(([symbol, { published: by, filled, changed, closed: end }]) => [
          symbol,
          by,
          filled,
          changed,
          end,
        ]);
      };
      const none = ['NONE', 0, 0, 0, 0];
      expect(await asOf(0)).toEqual([[EURUSD, 0, 0, 0, 0], [XAUUSD, 0, 0, 0, 0], none]);
      expect(await asOf(2)).toEqual([[EURUSD, 1, 0, 0, 0], [XAUUSD, 2, 0, 0, 0], none]);
      expect(await asOf(6)).toEqual([[EURUSD, 3, 6, 0, 0], [XAUUSD, 4, 0, 0, 0], none]);
      expect(await asOf(9)).toEqual([[EURUSD, 3, 6, 9, 0], [XAUUSD, 4, 0, 0, 7], none]);
      expect(await asOf(2 ** 53 - 1)).toEqual([[EURUSD, 3, 6, 9, 10], [XAUUSD, 4, 0, 0, 7], none]);
      await put({ records: [record(11)], published: [published(11, { at: MONDAY + DAY_MS })] });
      expect(await asOf(11)).toEqual([[EURUSD, 11, 6, 9, 10], [XAUUSD, 4, 0, 0, 7], none]);
      expect(await store().lastEventNumbers([], 9)).toEqual(new Map());
    });
  });
}
