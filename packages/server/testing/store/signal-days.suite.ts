// Requirements on every store: days of tape that signals were judged by.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, DAY_MS } from '@tickwire/engine';
import type { PublishedRow, SignalStore, SignalWrite } from '../../src/store/signal-store.ts';
import type { Store } from '../../src/store/store.ts';
import { block, EURUSD, MONDAY, XAUUSD } from './samples.fixture.ts';
import { closed, published, record, records, write } from './signal-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function signalDaysContract(current: () => Store): void {
  const store = (): SignalStore => current().signals;
  const put = (changes: Partial<SignalWrite>): Promise<void> => store().write(write(changes));
  /** Publishes signals, each by a record of its own, from 0 on. */
  const publish = (...rows: ((n: number) => PublishedRow)[]): Promise<void> =>
    put({ records: records(0, rows.length), published: rows.map((row, n) => row(n)) });

  describe('days of tape that signals need', () => {
    const noon = (day: number): number => MONDAY + day * DAY_MS + DAY_MS / 2;
    const unsealed = async (until: number): Promise<string[]> =>
      (await store().unsealed(until)).map(({ day, symbol }) => `${day.slice(8)} ${symbol}`);

    test('reach from the quote to the deciding tick, or to the given time while a signal is active', async () => {
      await publish(
        (n) => published(n, { quoteAt: noon(0), at: noon(1) }),
        (n) => published(n, { quoteAt: noon(1), symbol: XAUUSD }),
      );
      expect(await unsealed(noon(0))).toEqual(['02 EURUSD']);
      expect(await unsealed(MONDAY + 2 * DAY_MS - 1)).toEqual(['02 EURUSD', '03 EURUSD', '03 XAUUSD']);
      expect(await unsealed(MONDAY + 2 * DAY_MS)).toEqual([
        '02 EURUSD',
        '03 EURUSD',
        '03 XAUUSD',
        '04 EURUSD',
        '04 XAUUSD',
      ]);
      await put({ records: [record(2)], closed: [closed('sig_0', 2, { decidedAt: noon(2) })] });
      expect(await unsealed(noon(1))).toEqual(['02 EURUSD', '03 EURUSD', '03 XAUUSD', '04 EURUSD']);
    });

    test('are listed once however many signals need them, and not any more once they are sealed', async () => {
      await publish(
        (n) => published(n, { quoteAt: noon(0) }),
        (n) => published(n, { quoteAt: noon(1) }),
        (n) => published(n, { quoteAt: noon(0), symbol: XAUUSD }),
      );
      await put({ records: [record(3)], closed: [closed('sig_0', 3, { decidedAt: noon(1) })] });
      expect(await unsealed(noon(1))).toEqual(['02 EURUSD', '02 XAUUSD', '03 EURUSD', '03 XAUUSD']);
      await put({
        sealed: [
          { day: '2026-03-02', symbol: EURUSD, n: 1 },
          { day: '2026-03-02', symbol: XAUUSD, n: 1 },
        ],
      });
      expect(await unsealed(noon(1))).toEqual(['03 EURUSD', '03 XAUUSD']);
      await put({ sealed: [{ day: '2026-03-03', symbol: XAUUSD, n: 1 }] });
      // A signal that closes later finds some of its days sealed.
      await put({ records: [record(4)], closed: [closed('sig_2', 4, { decidedAt: noon(2) })] });
      expect(await unsealed(noon(1))).toEqual(['03 EURUSD', '04 XAUUSD']);
    });

    test('include both days if the deciding tick has an earlier time than the quote', async () => {
      await publish((n) => published(n, { quoteAt: MONDAY + DAY_MS }));
      await put({ records: [record(1)], closed: [closed('sig_0', 1, { decidedAt: MONDAY + DAY_MS - 1 })] });
      expect(await unsealed(noon(1))).toEqual(['02 EURUSD', '03 EURUSD']);
    });

    test('have seals by instrument and day', async () => {
      await put({
        records: records(0, 4),
        sealed: [
          { day: '2026-03-04', symbol: EURUSD, n: 3 },
          { day: '2026-03-02', symbol: EURUSD, n: 1 },
          { day: '2026-03-02', symbol: XAUUSD, n: 2 },
        ],
      });
      expect(await store().seals(EURUSD, '2026-03-02', '2026-03-04')).toEqual([record(1), record(3)]);
      expect(await store().seals(EURUSD, '2026-03-03', '2026-03-03')).toEqual([]);
      expect(await store().seals(XAUUSD, '2026-03-01', '2026-03-02')).toEqual([record(2)]);
    });

    test('are not pruned until they are sealed', async () => {
      const days = async () => (await current().market.tape(0)).map(({ minute }) => (minute - MONDAY) / DAY_MS);
      const drop = () => current().market.pruneTape(MONDAY + 5 * DAY_MS);
      await current().market.writeTape(
        [0, 1, 2, 3, 4].map((day) => block({ minute: asEpochMs(MONDAY + day * DAY_MS) })),
      );
      await publish(
        (n) => published(n, { quoteAt: noon(1) }),
        (n) => published(n, { quoteAt: noon(3), symbol: XAUUSD }),
      );
      await put({ records: [record(2)], closed: [closed('sig_0', 2, { decidedAt: noon(1) })] });
      expect([await drop(), await days()]).toEqual([2, [1, 3, 4]]);
      await put({
        sealed: [
          { day: '2026-03-03', symbol: EURUSD, n: 1 },
          { day: '2026-03-05', symbol: EURUSD, n: 1 },
          { day: '2026-03-06', symbol: XAUUSD, n: 1 },
        ],
      });
      expect([await drop(), await days()]).toEqual([2, [3]]);
      await put({ sealed: [{ day: '2026-03-05', symbol: XAUUSD, n: 1 }] });
      expect([await drop(), await days()]).toEqual([1, []]);
    });
  });
}
