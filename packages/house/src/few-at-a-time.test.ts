import { describe, expect, test } from 'bun:test';
import { fewAtATime } from './few-at-a-time.ts';

describe('a few at a time', () => {
  test('keeps the order of the items, whoever ends first', async () => {
    const waits = [30, 1, 10];
    expect(await fewAtATime(waits, 2, (ms) => Bun.sleep(ms).then(() => ms))).toEqual(waits);
  });

  test('after a failure begins nothing more, and throws when all that was begun has ended', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 1) throw new Error('no');
      await Bun.sleep(10);
      ended.push(item);
    };
    await expect(fewAtATime([0, 1, 2, 3, 4], 2, work)).rejects.toThrow('no');
    expect([begun, ended]).toEqual([[0, 1], [0]]);
  });
});
