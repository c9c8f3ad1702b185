// Requirements on every store: publications and closings in log order.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import type { SignalStore, SignalWrite } from '../../src/store/signal-store.ts';
import type { Store } from '../../src/store/store.ts';
import { EURUSD, MONDAY, XAUUSD } from './samples.fixture.ts';
import { closed, published, record, records, write } from './signal-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function signalEventsContract(current: () => Store): void {
  const store = (): SignalStore => current().signals;
  const put = (changes: Partial<SignalWrite>): Promise<void> => store().write(write(changes));
  /** Numbers of the publications, and of the closings with that of their publication. */
  const numbers = async (after: number, limit = 100): Promise<(number | [closed: number, published: number])[]> =>
    (await store().events(after, limit)).map(({ published: { n }, closed: by }) => (by ? [by.n, n] : n));

  /** Two instruments; signals close in another order than they were published; record 5 is about no signal. */
  const eightRecords = async (): Promise<void> => {
    await put({
      records: records(0, 5),
      published: [
        published(1),
        published(2, { symbol: XAUUSD, filledAt: MONDAY + 2 }),
        published(3),
        published(4, { symbol: XAUUSD }),
      ],
      fills: [{ id: 'sig_1', filledAt: MONDAY + 9, fill: '{}' }],
    });
    await put({
      records: records(5, 4),
      closed: [closed('sig_4', 6), closed('sig_1', 7), closed('sig_2', 8)],
      sealed: [{ day: '2026-03-02', symbol: EURUSD, n: 5 }],
    });
  };

  describe('signal events', () => {
    test('are publications and closings in log order, whatever lies between them', async () => {
      expect(await numbers(-1)).toEqual([]);
      await eightRecords();
      expect(await numbers(0)).toEqual([1, 2, 3, 4, [6, 4], [7, 1], [8, 2]]);
    });

    test('are paged by number without overlap', async () => {
      await eightRecords();
      expect(await numbers(2, 3)).toEqual([3, 4, [6, 4]]);
      expect(await numbers(5, 2)).toEqual([
        [6, 4],
        [7, 1],
      ]);
      expect(await numbers(8)).toEqual([]);
      expect(await numbers(0, 1)).toEqual([1]);
    });

    test('contain their records; a closing also when the signal filled', async () => {
      await eightRecords();
      const [publication, , , , unfilled, pending, atOnce] = await store().events(0, 10);
      expect(publication).toEqual({ published: record(1), closed: null, filledAt: null });
      expect(unfilled).toEqual({ published: record(4), closed: record(6), filledAt: null });
      expect(pending).toEqual({ published: record(1), closed: record(7), filledAt: MONDAY + 9 });
      expect(atOnce).toEqual({ published: record(2), closed: record(8), filledAt: MONDAY + 2 });
    });

    test('the last events of each instrument are known as of any record', async () => {
      await eightRecords();
      const asOf = async (until: number) => {
        const last = await store().lastEventNumbers([EURUSD, XAUUSD, 'NONE'], until);
        return [...last].map(([symbol, { published: by, any }]) => [symbol, by, any]);
      };
      const none = ['NONE', 0, 0];
      expect(await asOf(0)).toEqual([[EURUSD, 0, 0], [XAUUSD, 0, 0], none]);
      expect(await asOf(2)).toEqual([[EURUSD, 1, 1], [XAUUSD, 2, 2], none]);
      expect(await asOf(5)).toEqual([[EURUSD, 3, 3], [XAUUSD, 4, 4], none]);
      expect(await asOf(7)).toEqual([[EURUSD, 3, 7], [XAUUSD, 4, 6], none]);
      expect(await asOf(2 ** 53 - 1)).toEqual([[EURUSD, 3, 7], [XAUUSD, 4, 8], none]);
      await put({ records: [record(9)], published: [published(9, { at: MONDAY + DAY_MS })] });
      expect(await asOf(9)).toEqual([[EURUSD, 9, 9], [XAUUSD, 4, 8], none]);
      expect(await store().lastEventNumbers([], 9)).toEqual(new Map());
    });
  });
}
