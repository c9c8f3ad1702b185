// Requirements on every journal.
import { expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import type { Batch, Journal, JournalEvent } from '../../src/journal/journal.ts';
import type { SeqReserve } from '../../src/journal/seq-blocks.ts';
import { createLog, type Log, silentLog } from '../../src/ops/log.ts';

const event = (time: number): JournalEvent => ({ kind: 'clock', time: asEpochMs(time) });

class Reserve implements SeqReserve {
  ceiling = 1;
  load = async (): Promise<number> => this.ceiling;
  save = async (ceiling: number): Promise<void> => {
    this.ceiling = ceiling;
  };
}

/** Opens a journal. If one is open already, its process counts as crashed. */
export function journalContract(open: (reserve: SeqReserve, log: Log) => Promise<Journal>): void {
  test('numbers events without gaps and gives every reader every batch in order, with its source', async () => {
    const journal = await open(new Reserve(), silentLog);
    const before = journal.lastSeq;
    const seen: Batch[][] = [[], []];
    const stop = journal.subscribe((batch) => seen[0]!.push(batch));
    journal.subscribe((batch) => seen[1]!.push(batch));
    journal.append([event(1), event(2)], 'sim');
    stop();
    journal.append([event(3)]);
    expect(seen[0]).toEqual([{ firstSeq: before + 1, source: 'sim', events: [event(1), event(2)] }]);
    expect(seen[1]).toEqual([...seen[0]!, { firstSeq: before + 3, source: '', events: [event(3)] }]);
    expect(journal.lastSeq).toBe(before + 3);
  });

  test('ignores an empty append', async () => {
    const journal = await open(new Reserve(), silentLog);
    const before = journal.lastSeq;
    let heard = 0;
    journal.subscribe(() => heard++);
    journal.append([]);
    expect([heard, journal.lastSeq]).toEqual([0, before]);
  });

  test('calls the readers before append returns', async () => {
    const journal = await open(new Reserve(), silentLog);
    let heard = 0;
    journal.subscribe(({ firstSeq }) => {
      heard = firstSeq;
    });
    journal.append([event(1)]);
    expect(heard).toBe(journal.lastSeq);
  });

  test('lets a reader append: its events are numbered behind those it read', async () => {
    const journal = await open(new Reserve(), silentLog);
    const seqs: number[] = [];
    let said = false;
    journal.subscribe(({ firstSeq }) => {
      seqs.push(firstSeq);
      if (!said) {
        said = true;
        journal.append([event(2)]);
      }
    });
    journal.append([event(1)]);
    expect(seqs).toEqual([journal.lastSeq - 1, journal.lastSeq]);
  });

  test('isolates a failing reader from the others', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'error', plain: true, write: (line) => lines.push(line) });
    const journal = await open(new Reserve(), log);
    let heard = 0;
    journal.subscribe(() => {
      throw new Error('a fault of mine');
    });
    journal.subscribe(() => heard++);
    journal.append([event(1)]);
    journal.append([event(2)]);
    expect(heard).toBe(2);
    expect(lines.join('')).toContain('a fault of mine');
  });

  test('never assigns a number twice, even after the last process crashed', async () => {
    const reserve = new Reserve();
    let highest = 0;
    for (let times = 0; times < 3; times++) {
      const journal = await open(reserve, silentLog);
      let first = 0;
      const stop = journal.subscribe(({ firstSeq }) => {
        first ||= firstSeq;
      });
      journal.append([event(1), event(2)]);
      stop();
      expect(first).toBeGreaterThan(highest);
      highest = journal.lastSeq;
    }
  });
}
