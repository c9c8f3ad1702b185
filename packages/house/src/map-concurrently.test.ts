import { describe, expect, test } from 'bun:test';
import { mapConcurrently } from './map-concurrently.ts';

describe('mapConcurrently', () => {
  test('returns results in the order of the items', async () => {
    const waits = [30, 1, 10];
    expect(await mapConcurrently(waits, 2, (ms) => Bun.sleep(ms).then(() => ms))).toEqual(waits);
  });

  test('starts no further call after an error, and throws when all calls have ended', async () => {
    const [started, ended]: [number[], number[]] = [[], []];
    const work = async (item: number): Promise<void> => {
      started.push(item);
      if (item === 1) throw new Error('no');
      await Bun.sleep(10);
      ended.push(item);
    };
    await expect(mapConcurrently([0, 1, 2, 3, 4], 2, work)).rejects.toThrow('no');
    expect([started, ended]).toEqual([[0, 1], [0]]);
  });
});
