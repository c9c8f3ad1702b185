// What was announced of signals, once more from the store: in the same run, and after a restart.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import { StoreError } from '../store/store.ts';
import { BUY, EURO, LIMIT, TestMarket, TestPublisher } from '../testing/publisher.fixture.ts';
import { startService, temporaryFolder } from '../testing/service.fixture.ts';
import { isData, StreamClient } from '../testing/stream-client.fixture.ts';
import { Announcements } from './announcements.ts';
import { BTCUSD, NOON, PUBLISHER, RunningDesk } from './running-desk.fixture.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Event = SignalEvent | SignalClosedEvent;
const iso = (second: number): string => new Date(NOON + second * 1_000).toISOString();
const everything = (desk: RunningDesk): Promise<readonly Event[]> => desk.signals.announcements.after(0, 1_000);

/** The market stands at 99.9 / 100 since noon. */
async function open(folder = newFolder()): Promise<RunningDesk> {
  const desk = await RunningDesk.open(folder);
  desk.quote(0, 99.9, 100);
  return desk;
}

/** Signals that end in every way there is. */
async function manyEndings(desk: RunningDesk): Promise<void> {
  const [byHand, withdrawn] = [await desk.publish(), await desk.publish({ entry: 95 })];
  await desk.publish({ take_profit: 105 });
  await desk.publish({ expires_at: iso(20) });
  await desk.publish({ entry: 110, take_profit: 130, expires_at: iso(20) });
  await desk.publish({ entry: 97, stop_loss: 96.5 });
  await desk.publish({ direction: 'sell', entry: 99.9, stop_loss: 120, take_profit: 90 });
  await desk.close(byHand);
  await desk.close(withdrawn);
  desk.quote(2, 106, 106.1);
  // Fills and stops at once.
  desk.quote(3, 96, 96.1);
  desk.quote(4, 99.9, 100, `push:${PUBLISHER.publicId}`);
  await desk.close(await desk.publish());
  desk.quote(5, 99.9, 100);
  desk.clock(21);
  await desk.publish();
  desk.gap(22, 25);
  desk.quote(26, 89, 89.1);
  await desk.signals.ledger.settle();
}

describe('what was announced', () => {
  test('is told again from the store as it was, after a restart too, byte for byte', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await manyEndings(first);
    first.quote(27, 99.9, 100);
    const [, toBeMissed] = [await first.publish({ entry: 95 }), await first.publish({ stop_loss: 80 })];
    first.clock(61);
    await first.stop();
    const second = await RunningDesk.open(folder, 62);
    expect(await everything(second)).toStrictEqual([...first.announced]);
    second.trade(30, 95, 'buy');
    second.trade(31, 89, 'sell');
    second.minute(120, 100, 25);
    expect(await second.closed(toBeMissed)).not.toBeNull();
    await second.stop();

    const third = await RunningDesk.open(folder, 181);
    const announced = [...first.announced, ...second.announced];
    expect(await everything(third)).toStrictEqual(announced);
    expect(JSON.stringify(await everything(third))).toBe(JSON.stringify(announced));
    expect(third.announced).toEqual([]);
    await third.stop();
    // All there is to get wrong was among it.
    const closings = announced.flatMap((event) => (event.kind === 'signal_closed' ? [event] : []));
    expect([...new Set(closings.map(({ signal }) => signal.close_reason))].sort()).toEqual([
      'expired',
      'manual',
      'stop_loss',
      'take_profit',
      'unfilled',
    ]);
    for (const field of ['gap_from', 'pnl_best', 'recovered', 'self_sourced'] as const)
      expect(closings.filter(({ signal }) => signal[field] !== undefined)).not.toEqual([]);
    expect(new Set(closings.map(({ filledAt, signal }) => filledAt === Date.parse(signal.timestamp))).size).toBe(2);
  });

  test('comes in pages, in order, from any record on', async () => {
    const desk = await open();
    await manyEndings(desk);
    for (const limit of [1, 3, 1_000]) {
      for (let from = 0; from <= desk.signals.announcements.newest; from++) {
        const events: Event[] = [];
        for (let n = from, page = null; page?.length !== 0; n = events.at(-1)?.n ?? n) {
          page = await desk.signals.announcements.after(n, limit);
          expect(page.length).toBeLessThanOrEqual(limit);
          events.push(...page);
        }
        expect(events).toEqual(desk.announced.filter((event) => event.n > from));
      }
    }
    await desk.stop();
  });

  test('has the name that its publisher has now', async () => {
    const desk = await open();
    await desk.close(await desk.publish());
    const renamed = await Announcements.open({
      store: desk.store.signals,
      ledger: desk.signals.ledger,
      symbols: [BTCUSD],
      nameOf: (publisher) => `${publisher}, once One`,
    });
    expect((await renamed.after(0, 10)).map(({ signal }) => signal.user)).toEqual(Array(2).fill('pub_one, once One'));
    await desk.stop();
  });

  test('and never told here is caught up with from the store, once, and numbers go on from it', async () => {
    const desk = await open();
    await desk.publish();
    const { newest } = desk.signals.announcements;
    const elsewhere = await Announcements.open({
      store: desk.store.signals,
      ledger: { name: 'log', length: newest + 1 },
      symbols: [BTCUSD],
      nameOf: (publisher) => publisher,
    });
    await manyEndings(desk);
    const upTo = desk.signals.announcements.newest;
    const missed = await elsewhere.catchUp(upTo);
    expect(missed).toStrictEqual([...desk.announced].filter(({ n }) => n > newest));
    expect([elsewhere.newest, elsewhere.lastOf(BTCUSD)]).toEqual([upTo, desk.signals.announcements.lastOf(BTCUSD)]);
    expect(await elsewhere.catchUp(upTo)).toEqual([]);
    await desk.stop();
  });

  test('is nothing that the journal has yet to tell', async () => {
    const desk = await open();
    const { store, signals } = desk;
    const { write } = store.signals;
    const seen: number[][] = [];
    const numbers = async () => (await everything(desk)).map(({ n }) => n);
    store.signals.write = async (what) => {
      await write(what);
      seen.push(await numbers());
    };
    await Promise.all([desk.publish(), desk.publish()]);
    await desk.publish();
    expect(seen).toEqual([[], [1, 2]]);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(signals.announcements.newest).toBe(3);
    store.signals.write = write;
    await desk.stop();
  });
});

describe('the last of an instrument', () => {
  /** As the events say. */
  const lastOf = (events: readonly Event[]) => ({
    published: events.findLast(({ kind }) => kind === 'signal')?.n ?? 0,
    any: events.at(-1)?.n ?? 0,
  });

  test('is known as it is, and as it was at any record', async () => {
    const desk = await open();
    const { announcements, ledger } = desk.signals;
    expect(announcements.lastOf(BTCUSD)).toEqual({ published: 0, any: 0 });
    await manyEndings(desk);
    expect(announcements.lastOf(BTCUSD)).toEqual(lastOf(desk.announced));
    for (let n = 0; n < ledger.length; n++) {
      const before = desk.announced.filter((event) => event.n <= n);
      expect((await announcements.lastAt([BTCUSD], n)).get(BTCUSD)).toEqual(lastOf(before));
    }
    await desk.stop();
  });

  test('is the same after a restart, under the same epoch', async () => {
    const folder = newFolder();
    const before = await open(folder);
    await manyEndings(before);
    await before.stop();
    const after = await RunningDesk.open(folder, 30);
    const [old, now] = [before.signals.announcements, after.signals.announcements];
    expect(now.epoch).toMatch(/^log_[0-9a-f]{16}$/);
    expect([now.epoch, now.newest, now.lastOf(BTCUSD)]).toEqual([old.epoch, old.newest, old.lastOf(BTCUSD)]);
    await after.stop();
    const other = await open();
    expect(other.signals.announcements.epoch).not.toBe(old.epoch);
    await other.stop();
  });

  test('is a closing that the tape decided at the start, before anyone else listens', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish();
    // It dies with the closing unwritten.
    before.store.signals.write = () => Promise.reject(new StoreError('gone'));
    before.quote(1, 89, 89.1);
    await before.stop();
    const { signals, announced, ...desk } = await RunningDesk.open(folder, 2);
    expect(announced).toMatchObject([{ kind: 'signal_closed', n: 2, signal: { id, recovered: 'tape' } }]);
    expect([signals.announcements.newest, signals.announcements.lastOf(BTCUSD)]).toEqual([2, { published: 1, any: 2 }]);
    expect(await signals.announcements.after(1, 10)).toStrictEqual([...announced]);
    await desk.store.close();
  });
});

test('what a service said on /ws/signals is in the store of the next one, byte for byte', async () => {
  const data = newFolder();
  const first = await startService({ feeds: 'push', data });
  const publisher = await TestPublisher.of(first);
  const market = await TestMarket.of(first);
  await market.quote(...EURO);
  await market.quote('XAUUSD', 2000, 2000.2);
  const stream = await StreamClient.open(`${first.wsUrl}/ws/signals`, publisher.issued.key);
  await stream.ask({ action: 'subscribe', closes: true });
  const { id } = await publisher.published({ ...BUY, note: 'out of the range' });
  await publisher.published(LIMIT);
  await publisher.published({ symbol: 'XAUUSD', direction: 'sell', entry: 2000, stop_loss: 2010, take_profit: 1990 });
  await publisher.closed(id);
  await market.quote('EURUSD', 1.0829, 1.083);
  await market.quote('EURUSD', 1.0872, 1.0873);
  const said = await stream.take(5, isData);
  stream.close();
  await first.stop();

  const second = await startService({ feeds: 'push', data });
  const { store, keyring } = second.app;
  const announcements = await Announcements.open({
    store: store.signals,
    ledger: { name: 'log', length: (await store.signals.tail())!.n + 1 },
    symbols: [BTCUSD],
    nameOf: (id) => keyring.nameOf(id)!,
  });
  const found = (await announcements.after(0, 10)).map(({ signal }) => JSON.stringify(signal));
  expect(found).toEqual(said.map((message) => JSON.stringify(message)));
  expect(said.map(({ user, close_reason }) => [user, close_reason])).toEqual(
    [undefined, undefined, undefined, 'manual', 'take_profit'].map((reason) => [publisher.name, reason]),
  );
  await second.stop();
});
