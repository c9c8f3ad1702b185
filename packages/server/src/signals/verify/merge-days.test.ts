import { expect, test } from 'bun:test';
import { dice } from '../../../testing/signals/real-log.fixture.ts';
import type { EvidenceLine } from './evidence-line.ts';
import { mergeDays } from './merge-days.ts';

const line = (seq: number): EvidenceLine => ({ seq, time: seq, bid: 1, ask: 2, source: 'sim' });
const opened: number[] = [];
const day = (index: number, ...batches: number[][]) =>
  async function* () {
    opened.push(index);
    for (const batch of batches) yield batch.map(line);
  };
async function seqsOf(days: Parameters<typeof mergeDays>[0]): Promise<number[]> {
  const seqs: number[] = [];
  for await (const batch of mergeDays(days)) for (const { seq } of batch) seqs.push(seq);
  return seqs;
}

test('merges late ticks of the old day behind the first ticks of the new one', async () => {
  const days = [day(0, [1, 2], [3, 5], [8]), day(1, [4, 6, 7], [9]), day(2), day(3, [10, 11])];
  expect(await seqsOf(days)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(await seqsOf([])).toEqual([]);
  expect(await seqsOf([day(0), day(1)])).toEqual([]);
});

test('opens only one day ahead', async () => {
  opened.length = 0;
  const stream = mergeDays([day(0, [1], [2]), day(1, [3]), day(2, [4]), day(3, [5])]);
  await stream.next();
  expect(opened).toEqual([0, 1]);
  await stream.return();
});

test('yields ascending numbers for any split over days that begin in order', async () => {
  const roll = dice(3);
  for (let run = 0; run < 200; run++) {
    const days: number[][][] = [[], [], [], []];
    for (let seq = 0; seq < 60; seq++) {
      const mine = days[Math.min(3, Math.floor(seq / 15), Math.floor(roll() * 4 + seq / 20))]!;
      if (mine.length === 0 || roll() < 0.3) mine.push([seq]);
      else mine.at(-1)!.push(seq);
    }
    expect(await seqsOf(days.map((batches, index) => day(index, ...batches)))).toEqual(
      Array.from({ length: 60 }, (_, seq) => seq),
    );
  }
});

test('rejects days with the same number, or that begin in another order, instead of waiting for ever', async () => {
  const wrong = [
    [day(0, [1, 2, 3]), day(1, [3, 4])],
    [day(0, [1, 4]), day(1, [2, 4])],
    [day(0, [5, 6], [9]), day(1, [7]), day(2, [3])],
  ];
  for (const days of wrong) await expect(seqsOf(days)).rejects.toThrow('twice, or in the wrong order');
});
