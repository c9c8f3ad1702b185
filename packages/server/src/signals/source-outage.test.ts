// Publishing, closing and restarting while a source is disconnected.
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '@tickwire/contract';
import { RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import { findingsOf } from '../../testing/signals/tampering.fixture.ts';
import { parseRecord } from './log-records.ts';

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
const CUT_OFF = { code: 'stale_quote', message: 'The source of BTCUSD was disconnected and has sent no quote since.' };

/** The market is at 99.9 / 100 since noon. */
async function open(folder = newFolder(), source?: string): Promise<RunningSignals> {
  const run = await RunningSignals.open(folder);
  run.quote(0, 99.9, 100, source);
  return run;
}

test('disconnects, gaps and restarts are records of the log', async () => {
  const folder = newFolder();
  const run = await open(folder);
  await run.publish({ entry: 95, stop_loss: 80 });
  run.cut(2);
  run.gap(2, 5);
  run.quote(6, 99.9, 100);
  const id = await run.publish();
  run.quote(7, 99.9, 100);
  run.gap(8, 9);
  run.quote(10, 200, 200.1);
  await run.stop();
  // The service is down for 20 s.
  const again = await RunningSignals.open(folder, 30);
  const lines = await again.store.signals.log(-1, 99);
  await again.stop();
  const records = lines.map((line) => parseRecord<LogRecord>(line));
  const lost = records.flatMap((each) => (each.type === 'feed' ? [[each.event, each.from, each.to]] : []));
  expect(lost).toEqual([
    ['disconnect', iso(2), iso(2)],
    ['gap', iso(2), iso(5)],
    ['gap', iso(8), iso(9)],
    ['disconnect', iso(30), iso(30)],
  ]);
  const closed = records.find((each) => each.type === 'closed');
  expect(closed).toMatchObject({ signal: id, reason: 'take_profit', gap_from: iso(8), gap_to: iso(9) });
  expect(await findingsOf(lines)).toEqual([]);
});

describe('after a crash, a damaged part of the tape', () => {
  /** Changes the newest parts of the tape. */
  function damage(folder: string, newest: number): void {
    const [file] = readdirSync(join(folder, 'live', 'tape')).filter((name) => name.endsWith('.db'));
    using tape = new Database(join(folder, 'live', 'tape', file!));
    const { changes } = tape.run(
      `UPDATE tape SET checksum = checksum + 1 WHERE symbol = '' AND first_seq IN
         (SELECT first_seq FROM tape WHERE symbol = '' ORDER BY first_seq DESC LIMIT ?)`,
      [newest],
    );
    expect(changes).toBe(newest);
  }
  const gapsOf = async (run: RunningSignals): Promise<unknown[]> => {
    await run.signals.ledger.drain();
    const records = (await run.store.signals.log(-1, 99)).map((line) => parseRecord<LogRecord>(line));
    return records.flatMap((each) => (each.type === 'feed' && each.event === 'gap' ? [[each.from, each.to]] : []));
  };
  const crashed = async (folder: string, seconds: readonly number[]): Promise<string> => {
    const run = await open(folder);
    const id = await run.publish();
    await run.flush();
    await run.signals.ledger.drain();
    await run.signals.ledger.markJudged();
    for (const second of seconds) {
      run.quote(second, 99.9, 100);
      await run.flush();
    }
    await run.store.close();
    return id;
  };

  test('of a minute that was judged before in part is a gap', async () => {
    const folder = newFolder();
    await crashed(folder, [10, 20, 70]);
    damage(folder, 3);
    const again = await RunningSignals.open(folder, 90);
    expect(await gapsOf(again)).toEqual([
      [iso(0), iso(60)],
      [iso(60), iso(120)],
    ]);
    // Both end before the same record.
    expect(await again.store.signals.gaps()).toHaveLength(2);
    again.quote(130, 99.9, 100);
    await again.stop();
    // Once judged, it is not declared again.
    const third = await RunningSignals.open(folder, 140);
    expect(await gapsOf(third)).toHaveLength(2);
    await third.stop();
  });

  test('is a gap before the quotes that follow it', async () => {
    const folder = newFolder();
    const id = await crashed(folder, [10, 20]);
    {
      const run = await RunningSignals.open(folder, 30);
      run.quote(30, 100, 100.1);
      await run.flush();
      damage(folder, 1);
      run.quote(70, 200, 200.1);
      await run.flush();
      await run.store.close();
    }
    const again = await RunningSignals.open(folder, 80);
    expect(await gapsOf(again)).toEqual([[iso(0), iso(60)]]);
    expect(await again.closed(id)).toMatchObject({ reason: 'take_profit', gap_from: iso(0), gap_to: iso(60) });
    await again.stop();
  });
});

describe('while the source is disconnected', () => {
  test('rejects publishing and manual closing, filled or pending', async () => {
    const run = await open();
    const [filled, pending] = [await run.publish(), await run.publish({ entry: 95 })];
    run.quote(1, 99.9, 100);
    run.cut(2);
    await expect(run.publish()).rejects.toMatchObject(CUT_OFF);
    await expect(run.amend(filled, 95)).rejects.toMatchObject(CUT_OFF);
    await expect(run.close(filled)).rejects.toMatchObject(CUT_OFF);
    await expect(run.close(pending)).rejects.toMatchObject(CUT_OFF);
    run.quote(3, 99.9, 100);
    await run.publish();
    expect(await run.closeWith(filled, 4, 99.8, 100)).toMatchObject({ close_reason: 'manual', exit_price: 99.8 });
    expect(await run.closeWith(pending, 5, 99.8, 100)).toMatchObject({ close_reason: 'unfilled' });
    await run.stop();
  });

  test('rejects both after a missed trade until the next quote, but a pending signal can be withdrawn', async () => {
    const run = await open();
    const [filled, pending] = [await run.publish(), await run.publish({ entry: 95, stop_loss: 80 })];
    run.quote(0.5, 99.9, 100);
    run.cut(1);
    run.trade(2, 98, 'sell');
    run.backfilled(3);
    await expect(run.publish()).rejects.toMatchObject(CUT_OFF);
    await expect(run.close(filled)).rejects.toMatchObject(CUT_OFF);
    expect(await run.closeWith(pending, 4, 98, 98.1)).toMatchObject({ close_reason: 'unfilled' });
    await run.stop();
  });

  test('records a missed trade as the standing price, with the spread', async () => {
    const run = await open();
    const id = await run.publish({ expires_at: iso(30) });
    run.cut(1);
    run.trade(2, 95, 'buy');
    run.clock(40);
    expect(await run.closed(id)).toBeNull();
    run.backfilled(41);
    run.clock(42);
    expect(await run.closed(id)).toMatchObject({
      reason: 'expired',
      exit_price: 94.9,
      closed_at: iso(30),
      decided: { kind: 'trade', price: 95, side: 'buy', spread: 0.1 },
    });
    await run.stop();
  });
});

describe('gaps', () => {
  test('are stored even if no signal is active, and deleted once no signal needs them', async () => {
    const run = await open();
    const stored = async () => {
      await run.signals.ledger.drain();
      await run.signals.service.forgetGaps();
      return (await run.store.signals.gaps()).map(({ from }) => from);
    };
    run.gap(1, 5);
    expect(await stored()).toEqual([Date.parse(iso(1))]);
    const id = await run.publish();
    run.quote(6, 99.9, 100);
    expect(await stored()).toEqual([Date.parse(iso(1))]);
    run.quote(7, 89, 89.1);
    expect(await run.closed(id)).toMatchObject({ reason: 'stop_loss', gap_from: iso(1), gap_to: iso(5) });
    expect(await stored()).toEqual([]);
    await run.stop();
  });

  test('are restored after a restart, whatever quotes came in between', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish();
    before.gap(1, 5);
    before.quote(6, 99.9, 100);
    before.clock(61);
    await before.stop();
    const run = await RunningSignals.open(folder, 62);
    run.quote(63, 89, 89.1);
    expect(await run.closed(id)).toMatchObject({ reason: 'stop_loss', gap_from: iso(1), gap_to: iso(5) });
    await run.stop();
  });
});

describe('after a restart', () => {
  test('a market is not live, and nothing expires, until its source has backfilled', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish({ entry: 95 });
    before.clock(61);
    await before.stop();
    const run = await RunningSignals.open(folder, 62);
    await expect(run.publish()).rejects.toMatchObject(CUT_OFF);
    run.clock(90_000);
    expect(await run.closed(id)).toBeNull();
    run.trade(30, 95, 'buy');
    run.trade(31, 89, 'sell');
    expect(await run.closed(id)).toMatchObject({ reason: 'stop_loss', exit_price: 89, recovered: 'backfill' });
    await run.stop();
  });

  test('restores the bar that was the standing price from the tape', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const id = await before.publish({ expires_at: iso(200) });
    before.quote(0.5, 99.9, 100);
    before.cut(1);
    before.minute(60, 95);
    before.backfilled(121);
    before.clock(122);
    await before.stop();
    const run = await RunningSignals.open(folder, 123);
    run.backfilled(201);
    await expect(run.close(id)).rejects.toMatchObject({ code: 'signal_closed' });
    run.clock(205);
    expect(await run.closed(id)).toMatchObject({ reason: 'expired', exit_price: 95, decided: { kind: 'bar' } });
    await run.stop();
  });

  test('a pushed market continues without backfill', async () => {
    const folder = newFolder();
    const before = await open(folder, 'push:pub_two');
    const id = await before.publish({ entry: 95 });
    before.clock(61);
    await before.stop();
    const run = await RunningSignals.open(folder, 62);
    run.clock(90_000);
    expect(await run.closed(id)).toMatchObject({ reason: 'unfilled', closed_at: iso(86_400) });
    await run.stop();
  });
});
