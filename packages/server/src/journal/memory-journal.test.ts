import { describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import { journalContract } from '../../testing/journal/journal.suite.ts';
import { silentLog } from '../ops/log.ts';
import type { JournalEvent } from './journal.ts';
import { MemoryJournal, type SeqReserve } from './memory-journal.ts';

const event = (time: number): JournalEvent => ({ kind: 'clock', time: asEpochMs(time) });

/** In-memory stand-in for the store. */
class Reserve implements SeqReserve {
  ceiling = 1;
  fails = false;
  load = async (): Promise<number> => this.ceiling;
  save = async (ceiling: number): Promise<void> => {
    if (this.fails) throw new Error('locked');
    this.ceiling = ceiling;
  };
}

describe('MemoryJournal', () => journalContract((reserve, log) => MemoryJournal.open(reserve, log)));

describe('seq', () => {
  test('is never assigned twice, even after the previous run crashed', async () => {
    const reserve = new Reserve();
    const first = await MemoryJournal.open(reserve, silentLog);
    first.append([event(1), event(2)]);
    const second = await MemoryJournal.open(reserve, silentLog);
    expect(second.lastSeq).toBeGreaterThanOrEqual(first.lastSeq);
    expect(second.epoch).not.toBe(first.epoch);
  });

  test('is reserved ahead of use, so that the stored ceiling is always above it', async () => {
    const reserve = new Reserve();
    const journal = await MemoryJournal.open(reserve, silentLog);
    const batch = Array.from({ length: 1_000_000 }, () => event(1));
    for (let times = 0; times < 25; times++) {
      journal.append(batch);
      await Promise.resolve();
      expect(reserve.ceiling).toBeGreaterThan(journal.lastSeq);
    }
  });

  test('keeps rising while the store cannot reserve, and is reserved when the store recovers', async () => {
    const reserve = new Reserve();
    const journal = await MemoryJournal.open(reserve, silentLog);
    reserve.fails = true;
    const batch = Array.from({ length: 1_000_000 }, () => event(1));
    for (let times = 0; times < 7; times++) journal.append(batch);
    await Bun.sleep(0);
    reserve.fails = false;
    journal.append([event(2)]);
    await Bun.sleep(0);
    expect(journal.lastSeq).toBe(7_000_001);
    expect(reserve.ceiling).toBeGreaterThan(17_000_000);
  });
});
