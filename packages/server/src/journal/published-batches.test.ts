import { afterEach, expect, test } from 'bun:test';
import { silentLog } from '../ops/log.ts';
import { MemoryJournal } from './memory-journal.ts';
import { PublishedBatches, type Publishing } from './published-batches.ts';

let batches: PublishedBatches;
afterEach(() => batches.stop());

async function journal(): Promise<Publishing & { publishedSeq: number }> {
  const memory = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  return Object.assign(memory, { publishedSeq: 0 });
}
const clock = (time: number) => ({ kind: 'clock' as const, time: time as never });

test('a batch is handed on once Redis has all of it, in order, and nothing before', async () => {
  const writing = await journal();
  batches = new PublishedBatches(writing, silentLog);
  const stored: number[] = [];
  batches.subscribe(({ firstSeq }) => stored.push(firstSeq));
  writing.append([clock(1), clock(2)]);
  writing.append([clock(3)]);
  writing.publishedSeq = 1;
  batches.release();
  expect([stored, batches.held]).toEqual([[], 3]);
  writing.publishedSeq = 2;
  batches.release();
  expect([stored, batches.held]).toEqual([[1], 1]);
  writing.publishedSeq = 3;
  await batches.settled();
  expect([stored, batches.held]).toEqual([[1, 3], 0]);
});

test('who must store something is refused where Redis does not take it, and finds it stored where it does', async () => {
  const writing = await journal();
  batches = new PublishedBatches(writing, silentLog);
  const stored: number[] = [];
  batches.subscribe(({ firstSeq }) => stored.push(firstSeq));
  writing.append([clock(1)]);
  const settled = batches.settled();
  setTimeout(() => {
    writing.publishedSeq = 1;
  }, 30);
  await settled;
  expect(stored).toEqual([1]);
  writing.append([clock(2)]);
  await expect(batches.settled()).rejects.toThrow('Redis does not take the journal');
});
