// Changes of alerts that fire at the same time, with a store whose writes take their time.
import { expect, test } from 'bun:test';
import type { AlertCondition } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, HOUR_MS } from '@tickwire/engine';
import { alert } from '../../testing/store/alert-samples.fixture.ts';
import { EURUSD } from '../../testing/store/samples.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { silentLog } from '../ops/log.ts';
import type { AlertRow, AlertStore, AlertWrite } from '../store/alert-store.ts';
import { AlertChanges } from './alert-changes.ts';
import { AlertJudge } from './alert-judge.ts';
import { firingOf, firingRow } from './firing-messages.ts';
import { FiringWriter } from './firing-writer.ts';
import type { Outbox } from './outbox.ts';
import { SubscriptionList } from './subscription-list.ts';

const START = Date.UTC(2026, 2, 3, 10);

const hourOf = (time: number, price: number): Bar => ({
  ...{ time: asEpochMs(time), open: price, high: price, low: price, close: price },
  ...{ volume: 1, askVolume: 0, bidVolume: 0, basis: 'bid' },
});
const within = (bars: readonly Bar[], from: number, to: number): Bar[] =>
  bars.filter(({ time }) => time >= from && time <= to);

const PRICE: AlertCondition = { type: 'price', cross: 'above', level: 1.2, side: 'bid' };

function setUp(condition: AlertCondition = PRICE) {
  const stored = new Map<string, AlertRow>();
  const causes: string[] = [];
  let failing = false;
  /** One write after another, each in its own turn of the event loop. */
  let last = Promise.resolve();
  const later = <T>(work: () => T): Promise<T> => {
    const next = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (failing) throw new StoreError('full');
      return work();
    });
    last = next.then(
      () => {},
      () => {},
    );
    return next;
  };
  const put = (row: AlertRow) => later(() => void stored.set(row.id, row));
  const store = {
    putAlert: put,
    describeAlert: (id: string, part: Partial<AlertRow>) =>
      later(() => void stored.set(id, { ...stored.get(id)!, ...part })),
    deleteAlert: (id: string) => later(() => void stored.delete(id)),
    write: ({ firings, progress }: AlertWrite) =>
      later(() => {
        causes.push(...firings.map(({ cause }) => cause));
        for (const each of progress) {
          const row = stored.get(each.id);
          if (row) stored.set(each.id, { ...row, ...each });
        }
        return { firings, removed: 0 };
      }),
  } as unknown as AlertStore;
  let seq = 10;
  let now = START;
  const bars: Bar[] = [];
  const outbox = {
    write: (fired, _deliver, _options, progress, before) =>
      writer.add({
        ...{ account: fired.account, alert: fired.alert, progress, before },
        build: () => ({ row: firingRow(fired, firingOf(fired)), messages: [] }),
      }),
  } as Pick<Outbox, 'write'> as Outbox;
  const judge = new AlertJudge({
    instruments: CATALOGUE,
    subscriptions: new SubscriptionList(),
    outbox,
    isActive: () => true,
    now: () => START,
  });
  const writer = new FiringWriter({ store, marks: () => judge.marks, onWritten: () => {}, log: silentLog });
  const changes = new AlertChanges({
    ...{ store, judge, writer },
    warmUp: {
      view: { recent: () => [], forming: () => null },
      bars: { bars: async ({ from, to, limit }) => within(bars, from, to).slice(-limit) },
    },
    position: () => ({ seq, time: now }),
  });
  /** A bar of an hour closes, and is stored. */
  const close = (time: number, price: number): void => {
    seq++;
    now = time + HOUR_MS;
    const bar = hourOf(time, price);
    bars.push(bar);
    const event = { kind: 'bar', symbol: EURUSD, timeframe: '1h', bar, amended: false } as JournalEvent;
    judge.read({ firstSeq: seq, source: '', events: [event] });
  };
  const tick = (bid: number): void => {
    seq++;
    const price = { bid, ask: bid + 0.0001, bidSize: 0, askSize: 0, volume: 1 };
    const event = { kind: 'tick', symbol: asSymbol('EURUSD'), time: asEpochMs(START + seq), ...price } as JournalEvent;
    judge.read({ firstSeq: seq, source: '', events: [event] });
  };
  const about = () => ({ symbol: EURUSD, condition });
  const row = alert('alr_1', {
    ...{ repeat: 'once', cooldownMs: 0, createdAt: START, condition: JSON.stringify(condition) },
  });
  return {
    ...{ judge, writer, stored, causes, tick, close },
    create: () => changes.apply('alr_1', about, () => row),
    change: (to: (row: AlertRow) => AlertRow | null) => changes.apply('alr_1', about, (current) => to(current!)),
    changes,
    fail: (now: boolean) => (failing = now),
  };
}

test('a firing during a change is seen by it, and is not undone', async () => {
  const { judge, writer, stored, causes, tick, create, change } = setUp();
  tick(1.1);
  await create();
  // A save of the old state is under way when the alert fires, and the change comes at the same time.
  const saving = writer.save([judge.progressOf(judge.rows.get('alr_1')!)]);
  const seen: boolean[] = [];
  const changing = change((row) => {
    seen.push(row.done);
    return { ...row, cooldownMs: 5_000 };
  });
  tick(1.21);
  await Promise.all([saving, changing]);
  await writer.drain();
  expect(seen).toEqual([true]);
  expect(causes).toEqual(['seq:12']);
  expect(stored.get('alr_1')).toMatchObject({ done: true, fired: 1, cooldownMs: 5_000 });
  tick(1.1);
  tick(1.3);
  await writer.drain();
  expect(causes).toHaveLength(1);
});

test('what fires while a change is stored waits for it', async () => {
  const { writer, stored, causes, tick, create, change } = setUp();
  tick(1.1);
  await create();
  const changing = change((row) => ({ ...row, note: 'new' }));
  await new Promise((resolve) => setImmediate(resolve));
  tick(1.21);
  expect(causes).toEqual([]);
  await changing;
  await writer.drain();
  expect(causes).toEqual(['seq:12']);
  expect(stored.get('alr_1')).toMatchObject({ done: true, fired: 1, note: 'new' });
});

test('two changes of one alert follow each other', async () => {
  const { stored, tick, create, change, changes } = setUp();
  tick(1.1);
  await create();
  await Promise.all([
    change((row) => ({ ...row, cooldownMs: row.cooldownMs + 1 })),
    change((row) => ({ ...row, cooldownMs: row.cooldownMs + 1 })),
    changes.describe('alr_1', { note: 'last' }),
  ]);
  expect(stored.get('alr_1')).toMatchObject({ cooldownMs: 2, note: 'last' });
});

test('a change that cannot be stored leaves the alert as it was, armed', async () => {
  const { judge, writer, causes, tick, create, change, fail } = setUp();
  tick(1.1);
  await create();
  tick(1.15);
  fail(true);
  await expect(change((row) => ({ ...row, state: null, note: 'new' }))).rejects.toThrow('full');
  fail(false);
  expect(judge.rows.get('alr_1')).toMatchObject({ note: 'a "note"\n€', done: false });
  tick(1.21);
  await writer.drain();
  expect(causes).toEqual(['seq:13']);
});

test('an alert on a trend line that is resumed after a weekend counts its bars, not its hours', async () => {
  const friday = Date.UTC(2026, 2, 6, 20);
  const sunday = Date.UTC(2026, 2, 8, 22);
  // A pip for each bar, from 1.1 at Friday's last but one.
  const { writer, causes, create, change, close } = setUp({
    ...{ type: 'trend_line', interval: '1h', cross: 'above', price: 1.1, per_bar: 0.0001 },
    time: new Date(friday).toISOString(),
  });
  close(friday - HOUR_MS, 1.0995);
  close(friday, 1.0995);
  await create();
  await change((row) => ({ ...row, paused: true, state: null }));
  close(friday + HOUR_MS, 1.0995);
  close(sunday, 1.0995);
  await change((row) => ({ ...row, paused: false, state: null }));
  close(sunday + HOUR_MS, 1.1003);
  await writer.drain();
  expect(causes).toEqual([]);
  close(sunday + 2 * HOUR_MS, 1.10041);
  await writer.drain();
  expect(causes).toEqual([`bar:1h:${sunday + 2 * HOUR_MS}`]);
});
