// Signal events read from the store: in the same run, and after a restart.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { BUY, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { BTCUSD, NOON, PUBLISHER, RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { type AnySignalEvent, STREAM_OF_EVENT } from '../journal/journal.ts';
import { SIGNAL_STREAMS } from '../store/signal-store.ts';
import { SignalEvents } from './signal-events.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const iso = (second: number): string => new Date(NOON + second * 1_000).toISOString();
const everything = (run: RunningSignals): Promise<readonly AnySignalEvent[]> => run.signals.events.after(0, 1_000);

/** The market is at 99.9 / 100 since noon. */
async function open(folder = newFolder()): Promise<RunningSignals> {
  const run = await RunningSignals.open(folder);
  run.quote(0, 99.9, 100);
  return run;
}

/** Signals that close for every possible reason, with partial exits and a tighter stop. */
async function manyEndings(run: RunningSignals): Promise<void> {
  const [byHand, withdrawn] = [await run.publish(), await run.publish({ entry: 95 })];
  const amended = await run.publish({
    targets: [
      { price: 105, fraction: 0.5 },
      { price: 150, fraction: 0.5 },
    ],
  });
  const voided = await run.publish({ take_profit: 130 });
  await run.publish({ take_profit: 105 });
  await run.publish({ expires_at: iso(20) });
  await run.publish({ entry: 110, take_profit: 130, expires_at: iso(20) });
  await run.publish({ entry: 97, stop_loss: 96.5 });
  await run.publish({ direction: 'sell', entry: 99.9, stop_loss: 120, take_profit: 90 });
  run.quote(1, 99.9, 100);
  await run.amend(amended, 98);
  const closing = [run.close(byHand), run.close(withdrawn)];
  await Bun.sleep(1);
  run.quote(2, 106, 106.1);
  await Promise.all(closing);
  await run.signals.service.void(voided, 'a bad tick');
  // Fills and stops out with one quote.
  run.quote(3, 96, 96.1);
  run.quote(4, 99.9, 100, `push:${PUBLISHER.publicId}`);
  const own = await run.publish();
  run.quote(5, 99.9, 100);
  const last = run.close(own);
  await Bun.sleep(1);
  run.quote(6, 99.9, 100);
  await last;
  run.clock(26);
  await run.publish();
  run.quote(27, 99.9, 100);
  run.gap(28, 31);
  run.quote(32, 89, 89.1);
  await run.signals.ledger.drain();
}

describe('signal events', () => {
  test('are the same from the store as they were published, after a restart too, byte for byte', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await manyEndings(first);
    first.quote(33, 99.9, 100);
    const [, toBeMissed] = [await first.publish({ entry: 95 }), await first.publish({ stop_loss: 80 })];
    first.quote(34, 99.9, 100);
    first.clock(61);
    await first.stop();
    const second = await RunningSignals.open(folder, 62);
    expect(await everything(second)).toStrictEqual([...first.published]);
    second.trade(63, 95, 'buy');
    second.trade(64, 89, 'sell');
    second.minute(120, 100, 25);
    expect(await second.closed(toBeMissed)).not.toBeNull();
    await second.stop();

    const third = await RunningSignals.open(folder, 181);
    const published = [...first.published, ...second.published];
    expect(await everything(third)).toStrictEqual(published);
    expect(JSON.stringify(await everything(third))).toBe(JSON.stringify(published));
    expect(third.published).toEqual([]);
    await third.stop();
    // All optional fields occurred.
    const closings = published.flatMap((event) => (event.kind === 'signal_closed' ? [event] : []));
    expect([...new Set(closings.map(({ signal }) => signal.close_reason))].sort()).toEqual([
      'expired',
      'manual',
      'stop_loss',
      'take_profit',
      'unfilled',
      'voided',
    ]);
    expect(new Set(published.map(({ kind }) => STREAM_OF_EVENT[kind]))).toEqual(new Set(SIGNAL_STREAMS));
    for (const field of ['gap_from', 'pnl_best', 'recovered', 'self_sourced'] as const)
      expect(closings.filter(({ signal }) => signal[field] !== undefined)).not.toEqual([]);
    expect(new Set(closings.map(({ signal }) => signal.entry_price === null)).size).toBe(2);
  });

  test('come in pages, in order, from any record on', async () => {
    const run = await open();
    await manyEndings(run);
    for (const limit of [1, 3, 1_000]) {
      for (let from = 0; from <= run.signals.events.newest; from++) {
        const events: AnySignalEvent[] = [];
        for (let n = from, page = null; page?.length !== 0; n = events.at(-1)?.n ?? n) {
          page = await run.signals.events.after(n, limit);
          expect(page.length).toBeLessThanOrEqual(limit);
          events.push(...page);
        }
        expect(events).toEqual(run.published.filter((event) => event.n > from));
      }
    }
    await run.stop();
  });

  test('carry the current name of the publisher', async () => {
    const run = await open();
    const id = await run.publish();
    run.quote(1, 99.9, 100);
    await run.closeWith(id, 2, 95, 95.1);
    const renamed = await SignalEvents.open({
      store: run.store.signals,
      ledger: run.signals.ledger,
      symbols: [BTCUSD],
      nameOf: (publisher) => `${publisher}, once One`,
    });
    expect((await renamed.after(0, 10)).map(({ signal }) => signal.user)).toEqual(Array(3).fill('pub_one, once One'));
    await run.stop();
  });

  test('are caught up from the store once if they were not delivered here, and numbering continues', async () => {
    const run = await open();
    await run.publish();
    const { newest } = run.signals.events;
    const elsewhere = await SignalEvents.open({
      store: run.store.signals,
      ledger: { name: 'log', length: newest + 1 },
      symbols: [BTCUSD],
      nameOf: (publisher) => publisher,
    });
    await manyEndings(run);
    const upTo = run.signals.events.newest;
    const missed = await elsewhere.catchUp(upTo);
    expect(missed).toStrictEqual([...run.published].filter(({ n }) => n > newest));
    expect([elsewhere.newest, elsewhere.lastOf(BTCUSD)]).toEqual([upTo, run.signals.events.lastOf(BTCUSD)]);
    expect(await elsewhere.catchUp(upTo)).toEqual([]);
    await run.stop();
  });

  test('leave out events that are not in the journal yet', async () => {
    const run = await open();
    const { store, signals } = run;
    const { write } = store.signals;
    const seen: number[][] = [];
    const numbers = async () => (await everything(run)).map(({ n }) => n);
    store.signals.write = async (what) => {
      await write(what);
      seen.push(await numbers());
    };
    await Promise.all([run.publish(), run.publish()]);
    await run.publish();
    expect(seen).toEqual([[], [1, 2]]);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(signals.events.newest).toBe(3);
    store.signals.write = write;
    await run.stop();
  });
});

describe('the last events of an instrument', () => {
  /** Computed from the events. */
  const lastOf = (events: readonly AnySignalEvent[]) => ({
    published: events.findLast(({ kind }) => kind === 'signal')?.n ?? 0,
    filled: events.findLast(({ kind }) => kind === 'signal_filled')?.n ?? 0,
    changed: events.findLast(({ kind }) => kind === 'signal_changed')?.n ?? 0,
    closed: events.findLast(({ kind }) => kind === 'signal_closed')?.n ?? 0,
  });

  test('are known now and as of any record', async () => {
    const run = await open();
    const { events: signalEvents, ledger } = run.signals;
    expect(signalEvents.lastOf(BTCUSD)).toEqual({ published: 0, filled: 0, changed: 0, closed: 0 });
    await manyEndings(run);
    expect(signalEvents.lastOf(BTCUSD)).toEqual(lastOf(run.published));
    for (let n = 0; n < ledger.length; n++) {
      const before = run.published.filter((event) => event.n <= n);
      expect((await signalEvents.lastAt([BTCUSD], n)).get(BTCUSD)).toEqual(lastOf(before));
    }
    await run.stop();
  });

  test('are the same after a restart, under the same epoch', async () => {
    const folder = newFolder();
    const before = await open(folder);
    await manyEndings(before);
    await before.stop();
    const after = await RunningSignals.open(folder, 30);
    const [old, now] = [before.signals.events, after.signals.events];
    expect(now.epoch).toMatch(/^log_[0-9a-f]{16}$/);
    expect([now.epoch, now.newest, now.lastOf(BTCUSD)]).toEqual([old.epoch, old.newest, old.lastOf(BTCUSD)]);
    await after.stop();
    const other = await open();
    expect(other.signals.events.epoch).not.toBe(old.epoch);
    await other.stop();
  });

  test('include a closing that the tape decided at start, before anything else subscribes', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish();
    // It dies before the closing is written.
    before.store.signals.write = () => Promise.reject(new StoreError('gone'));
    before.quote(1, 89, 89.1);
    await before.stop();
    const { signals, published, ...run } = await RunningSignals.open(folder, 2);
    expect(published).toMatchObject([
      { kind: 'signal_filled', n: 2, signal: { id } },
      { kind: 'signal_closed', n: 3, signal: { id, recovered: 'tape' } },
    ]);
    const last = { published: 1, filled: 2, changed: 0, closed: 3 };
    expect([signals.events.newest, signals.events.lastOf(BTCUSD)]).toEqual([3, last]);
    expect(await signals.events.after(1, 10)).toStrictEqual([...published]);
    await run.store.close();
  });
});

test('what one run sent on /ws/signals is in the store of the next run, byte for byte', async () => {
  const data = newFolder();
  const first = await startService({ feeds: 'push', data });
  const publisher = await TestPublisher.of(first);
  const market = await TestMarket.of(first);
  await market.quote(...EURO);
  await market.quote('XAUUSD', 2000, 2000.2);
  const stream = await StreamClient.open(`${first.wsUrl}/ws/signals`, publisher.issued.key);
  await stream.ask({ action: 'subscribe', closes: true, fills: true, changes: true });
  const { id } = await publisher.open({ ...BUY, note: 'out of the range' }, market);
  await publisher.published(LIMIT);
  await publisher.published({ symbol: 'XAUUSD', direction: 'sell', entry: 2000, stop_loss: 2010, take_profit: 1990 });
  await publisher.closed(id, market);
  await market.quote('EURUSD', 1.0829, 1.083);
  await market.quote('EURUSD', 1.0872, 1.0873);
  const said = await stream.take(7, isData);
  stream.close();
  await first.stop();

  const second = await startService({ feeds: 'push', data });
  const { store, keyring } = second.app;
  const signalEvents = await SignalEvents.open({
    store: store.signals,
    ledger: { name: 'log', length: (await store.signals.tail())!.n + 1 },
    symbols: [BTCUSD],
    nameOf: (id) => keyring.nameOf(id)!,
  });
  const found = (await signalEvents.after(0, 10)).map(({ signal }) => JSON.stringify(signal));
  expect(found).toEqual(said.map((message) => JSON.stringify(message)));
  expect(said.map(({ user, close_reason }) => [user, close_reason])).toEqual(
    [undefined, undefined, undefined, undefined, 'manual', undefined, 'take_profit'].map((reason) => [
      publisher.name,
      reason,
    ]),
  );
  await second.stop();
});
