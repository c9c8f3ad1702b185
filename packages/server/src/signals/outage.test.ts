// The desk and a restart while a source is cut off.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningDesk } from './running-desk.fixture.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-test-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const iso = (second: number): string => new Date(Date.UTC(2026, 2, 4, 12) + second * 1_000).toISOString();
const CUT_OFF = { code: 'stale_quote', message: 'The source of BTCUSD was cut off, and no quote has come since.' };

/** The market stands at 99.9 / 100 since noon. */
async function open(folder = newFolder(), source?: string): Promise<RunningDesk> {
  const desk = await RunningDesk.open(folder);
  desk.quote(0, 99.9, 100, source);
  return desk;
}

describe('while the source is cut off', () => {
  test('nothing is published and nothing closed by hand, filled or pending', async () => {
    const desk = await open();
    const [filled, pending] = [await desk.publish(), await desk.publish({ entry: 95 })];
    desk.cut(1);
    await expect(desk.publish()).rejects.toMatchObject(CUT_OFF);
    await expect(desk.close(filled)).rejects.toMatchObject(CUT_OFF);
    await expect(desk.close(pending)).rejects.toMatchObject(CUT_OFF);
    desk.quote(2, 99.9, 100);
    await desk.publish();
    expect(await desk.close(filled)).toMatchObject({ close_reason: 'manual', exit_price: 99.9 });
    expect(await desk.close(pending)).toMatchObject({ close_reason: 'unfilled' });
    await desk.stop();
  });

  test('nor at a missed trade, until there is a quote; but a pending one can be withdrawn', async () => {
    const desk = await open();
    const [filled, pending] = [await desk.publish(), await desk.publish({ entry: 95, stop_loss: 80 })];
    desk.cut(1);
    desk.trade(2, 98, 'sell');
    desk.backfilled(3);
    await expect(desk.publish()).rejects.toMatchObject(CUT_OFF);
    await expect(desk.close(filled)).rejects.toMatchObject(CUT_OFF);
    expect(await desk.close(pending)).toMatchObject({ close_reason: 'unfilled' });
    await desk.stop();
  });

  test('a record names the missed trade that stood, with the spread', async () => {
    const desk = await open();
    const id = await desk.publish({ expires_at: iso(30) });
    desk.cut(1);
    desk.trade(2, 95, 'buy');
    desk.clock(40);
    expect(await desk.closed(id)).toBeNull();
    desk.backfilled(41);
    desk.clock(42);
    expect(await desk.closed(id)).toMatchObject({
      reason: 'expired',
      exit_price: 94.9,
      closed_at: iso(30),
      decided: { kind: 'trade', price: 95, side: 'buy', spread: 0.1 },
    });
    await desk.stop();
  });
});

describe('gaps', () => {
  test('are stored though nothing was active, and forgotten once they concern nobody', async () => {
    const desk = await open();
    const stored = async () => {
      await desk.signals.ledger.settle();
      await desk.signals.desk.forgetGaps();
      return (await desk.store.signals.gaps()).map(({ from }) => from);
    };
    desk.gap(1, 5);
    expect(await stored()).toEqual([Date.parse(iso(1))]);
    const id = await desk.publish();
    desk.quote(6, 99.9, 100);
    expect(await stored()).toEqual([Date.parse(iso(1))]);
    desk.quote(7, 89, 89.1);
    expect(await desk.closed(id)).toMatchObject({ reason: 'stop_loss', gap_from: iso(1), gap_to: iso(5) });
    expect(await stored()).toEqual([]);
    await desk.stop();
  });

  test('are known again after a restart, whatever quotes came in between', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish();
    before.gap(1, 5);
    before.quote(6, 99.9, 100);
    before.clock(61);
    await before.stop();
    const desk = await RunningDesk.open(folder, 62);
    desk.quote(63, 89, 89.1);
    expect(await desk.closed(id)).toMatchObject({ reason: 'stop_loss', gap_from: iso(1), gap_to: iso(5) });
    await desk.stop();
  });
});

describe('after a restart', () => {
  test('a market is not alive, and time ends nothing, until its source has said what was missed', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish({ entry: 95 });
    before.clock(61);
    await before.stop();
    const desk = await RunningDesk.open(folder, 62);
    await expect(desk.publish()).rejects.toMatchObject(CUT_OFF);
    desk.clock(90_000);
    expect(await desk.closed(id)).toBeNull();
    desk.trade(30, 95, 'buy');
    desk.trade(31, 89, 'sell');
    expect(await desk.closed(id)).toMatchObject({ reason: 'stop_loss', exit_price: 89, recovered: 'backfill' });
    await desk.stop();
  });

  test('a bar that stood stands again, as the tape has it', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish({ expires_at: iso(200) });
    before.cut(1);
    before.minute(60, 95);
    before.backfilled(121);
    before.clock(122);
    await before.stop();
    const desk = await RunningDesk.open(folder, 123);
    desk.backfilled(201);
    await expect(desk.close(id)).rejects.toMatchObject({ code: 'signal_closed' });
    desk.clock(202);
    expect(await desk.closed(id)).toMatchObject({ reason: 'expired', exit_price: 95, decided: { kind: 'bar' } });
    await desk.stop();
  });

  test('a pushed market goes on: nobody fetches what was not pushed', async () => {
    const folder = newFolder();
    const before = await open(folder, 'push:pub_two');
    const id = await before.publish({ entry: 95 });
    before.clock(61);
    await before.stop();
    const desk = await RunningDesk.open(folder, 62);
    desk.clock(90_000);
    expect(await desk.closed(id)).toMatchObject({ reason: 'unfilled', closed_at: iso(86_400) });
    await desk.stop();
  });
});
