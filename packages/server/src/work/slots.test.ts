import { expect, test } from 'bun:test';
import { Slots } from './slots.ts';
import { WorkQueue } from './work-queue.ts';

test('slots are limited over all and by key, and free once they are released', () => {
  const slots = new Slots({ total: 3, perKey: 2 });
  const first = slots.take('a');
  expect([slots.take('a'), slots.take('a'), slots.take('b'), slots.take('c')].map((taken) => taken !== null)).toEqual([
    ...[true, false, true, false],
  ]);
  expect([slots.used, slots.usedBy('a'), slots.usedBy('c')]).toEqual([3, 2, 0]);
  first!();
  first!();
  expect([slots.used, slots.usedBy('a')]).toEqual([2, 1]);
  expect(slots.take('a', 1)).toBeNull();
  expect(slots.take('c')).not.toBeNull();
});

test('a queue runs a few pieces at a time, the others in order, also after one failed', async () => {
  const queue = new WorkQueue(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) => () => {
    started.push(index);
    return new Promise<number>((resolve, reject) => {
      ends.push(() => (index === 0 ? reject(new Error('failed')) : resolve(index)));
    });
  };
  const results = [0, 1, 2, 3].map((index) => queue.run(work(index)));
  expect(queue.run(work(9), 2)).toBeNull();
  expect(started).toEqual([0, 1]);
  ends[0]!();
  await expect(results[0]!).rejects.toThrow('failed');
  expect(started).toEqual([0, 1, 2]);
  ends[1]!();
  ends[2]!();
  expect([await results[1], await results[2]]).toEqual([1, 2]);
  ends[3]!();
  expect(await results[3]).toBe(3);
  expect(await queue.run(async () => 'free')).toBe('free');
});
