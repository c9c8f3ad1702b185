// Requirements on every Store. Each implementation runs this suite with its own factory.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asEpochMs, DAY_MS } from '@tickwire/engine';
import { StoreError } from '../../src/errors/store-error.ts';
import type { Store } from '../../src/store/store.ts';
import { calendarEvent } from '../calendar.fixture.ts';
import { accessStoreContract } from './access-store.suite.ts';
import { accountStoreContract } from './account-store.suite.ts';
import { someAlerts } from './alert-samples.fixture.ts';
import { alertStoreContract } from './alert-store.suite.ts';
import { auditStoreContract } from './audit-store.suite.ts';
import { calendarStoreContract } from './calendar-store.suite.ts';
import { chatStoreContract } from './chat-store.suite.ts';
import { deliveryStoreContract } from './delivery-store.suite.ts';
import { documentStoreContract } from './document-store.suite.ts';
import { headStoreContract } from './head-store.suite.ts';
import { marketStoreContract } from './market-store.suite.ts';
import { move, news } from './news-samples.fixture.ts';
import { newsStoreContract } from './news-store.suite.ts';
import {
  block,
  EURUSD,
  histogram,
  key,
  MONDAY,
  minuteBar,
  quote,
  refusalOf,
  rowsOf,
  trade,
  XAUUSD,
} from './samples.fixture.ts';
import { signalDaysContract } from './signal-days.suite.ts';
import { closed, everySignal, record, someSignals, write } from './signal-samples.fixture.ts';
import { signalStoreContract } from './signal-store.suite.ts';
import { twoFactorStoreContract } from './two-factor-store.suite.ts';

/** Where a store is kept: opened again, it is the same store. */
export interface StorePlace {
  open(): Promise<Store>;
  /** `backUpStore` to a folder. */
  backUp(folder: string): Promise<string[]>;
  /** Opens the result of `backUp`. */
  openCopy(folder: string): Promise<Store>;
  dispose(): Promise<void>;
}

export function storeContract(name: string, makePlace: () => Promise<StorePlace>): void {
  describe(`${name} as a store`, () => {
    let place: StorePlace;
    let store: Store;
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await place.open();
    };
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.dispose();
    });

    accessStoreContract(
      () => store,
      () => place.open(),
    );
    accountStoreContract(() => store);
    auditStoreContract(() => store);
    twoFactorStoreContract(
      () => store,
      () => place.open(),
    );
    documentStoreContract(() => store);
    marketStoreContract(() => store);
    signalStoreContract(() => store);
    signalDaysContract(() => store);
    headStoreContract(() => store);
    newsStoreContract(() => store);
    calendarStoreContract(() => store);
    alertStoreContract(() => store);
    deliveryStoreContract(() => store);
    chatStoreContract(() => store);

    const everything = async (from: Store) => ({
      accounts: await from.access.accounts(),
      keys: (await from.access.keys()).map((each) => ({ ...each, hash: [...each.hash] })),
      usage: await from.access.usage(),
      audit: await from.access.auditLog({ limit: 100 }),
      bars: rowsOf(await from.market.recentBars([EURUSD, XAUUSD], 100)),
      histograms: await from.market.histograms([EURUSD, XAUUSD], 0, MONDAY * 2),
      prices: await from.market.lastPrices(),
      tape: (await from.market.tape(0)).map((each) => ({ ...each, bytes: [...each.bytes] })),
      flow: [...(await from.market.flow(0, MONDAY * 2))],
      until: await from.market.number('bars_until'),
      signals: await everySignal(from.signals),
      news: await from.news.newest(100),
      due: await from.news.due(15, 0, MONDAY * 2, 100),
      calibration: await from.news.calibration(),
      calendar: await from.calendar.after({ time: 0, id: '' }, MONDAY * 2, 100),
      alerts: [await from.alerts.alerts(), await from.alerts.subscriptions(), await from.alerts.marks()],
      firings: await from.alerts.firings('pub_a', { limit: 100 }),
      destinations: await from.delivery.destinations('pub_a'),
      messages: await from.delivery.messages('pub_a', { limit: 100 }),
      delivered: [...(await from.delivery.destinationStates('pub_a'))],
    });
    const fill = async (): Promise<void> => {
      const { id } = await store.access.createAccount('Ada', 'pro', 1);
      await store.access.addKey(key('a', id));
      await store.access.saveUsage([{ accountId: id, requests: [1, 2], aiDay: MONDAY, aiCalls: 1 }]);
      await store.access.audit({ at: 1, actor: 'test', action: 'backup made', subject: 'everything' });
      await store.market.write({
        bars: [0, 1, 2].map((index) => minuteBar(index)),
        prices: [{ symbol: EURUSD, quote, trade }],
        barsUntil: MONDAY,
        histograms: [histogram],
      });
      await store.signals.write(someSignals);
      await store.news.put([news('a', 1), news('b', 2)]);
      await store.news.putMoves([move('a', 0.5)]);
      await store.calendar.put([calendarEvent('a', 1), calendarEvent('b', 2)]);
      await someAlerts(store);
      // More days than a store may keep open at the same time.
      const days = [-4, -3, -2, -1, 0, 1].map((day) => day * DAY_MS);
      await store.market.writeTape(days.map((offset) => block({ minute: asEpochMs(MONDAY + offset) })));
    };

    test('is the same when it is opened again', async () => {
      await fill();
      const before = await everything(store);
      await reopen();
      expect(await everything(store)).toEqual(before);
      expect(await refusalOf(store.access.createAccount('ADA', 'free', 2))).toBeInstanceOf(StoreError);
    });

    test('a backup is a complete copy that later writes do not change', async () => {
      await fill();
      const before = await everything(store);
      const folder = mkdtempSync(join(tmpdir(), 'tickwire-copy-'));
      expect((await place.backUp(folder)).length).toBeGreaterThan(0);
      expect(readdirSync(folder).length).toBeGreaterThan(0);
      await store.market.setNumber('bars_until', 1);
      await store.access.createAccount('Later', 'free', 2);
      await store.news.put([news('c', 3)]);
      await store.signals.write(write({ records: [record(5)], closed: [closed('sig_2', 5)] }));
      const copy = await place.openCopy(folder);
      expect(await everything(copy)).toEqual(before);
      await copy.close();
      expect(await refusalOf(place.backUp(folder))).toBeInstanceOf(StoreError);
      rmSync(folder, { recursive: true });
    });
  });
}
