import { afterEach, expect, test } from 'bun:test';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import { silentLog } from '../../ops/log.ts';
import { PublishedBatches, type PublishingJournal } from './published-batches.ts';

let batches: PublishedBatches;
afterEach(() => batches.stop());

async function journal(): Promise<PublishingJournal & { publishedSeq: number }> {
  const memory = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  return Object.assign(memory, { publishedSeq: 0 });
}
const clock = (time: number) => ({ kind: 'clock' as const, time: time as never });

test('delivers a batch once Redis has all of it, in order', async () => {
  const writing = await journal();
  batches = new PublishedBatches(writing, silentLog);
  const stored: number[] = [];
  writing.subscribe(batches.delay(({ firstSeq }) => stored.push(firstSeq)));
  writing.append([clock(1), clock(2)]);
  writing.append([clock(3)]);
  writing.publishedSeq = 1;
  batches.release();
  expect([stored, batches.delayed]).toEqual([[], 3]);
  writing.publishedSeq = 2;
  batches.release();
  expect([stored, batches.delayed]).toEqual([[1], 1]);
  writing.publishedSeq = 3;
  await batches.flush();
  expect([stored, batches.delayed]).toEqual([[1, 3], 0]);
});

test('flush resolves when Redis has everything, and rejects if Redis does not accept it', async () => {
  const writing = await journal();
  batches = new PublishedBatches(writing, silentLog);
  const stored: number[] = [];
  writing.subscribe(batches.delay(({ firstSeq }) => stored.push(firstSeq)));
  writing.append([clock(1)]);
  const flushed = batches.flush();
  setTimeout(() => {
    writing.publishedSeq = 1;
  }, 30);
  await flushed;
  expect(stored).toEqual([1]);
  writing.append([clock(2)]);
  await expect(batches.flush()).rejects.toThrow('Redis does not accept the journal');
});
