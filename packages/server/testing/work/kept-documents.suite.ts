// Requirements on documents that are kept as long as they are used.
import { expect, test } from 'bun:test';
import type { KeptDocuments } from '../../src/work/kept-documents.ts';

/** Two views of the same documents: those of two gateways, or the same one. */
export type OpenDocuments = (keptMs: number) => Promise<readonly [KeptDocuments, KeptDocuments]>;

/** `pass` lets time go by. */
export function keptDocumentsContract(open: OpenDocuments, pass: (ms: number) => Promise<void>): void {
  test('are added up to the limit of their owner, listed and removed', async () => {
    const [one, two] = await open(60_000);
    expect([await one.add('ann', 'a', 'A', 2), await two.add('ann', 'b', 'B', 2)]).toEqual([true, true]);
    expect([await one.add('ann', 'c', 'C', 2), await one.add('bob', 'a', 'D', 1)]).toEqual([false, true]);
    expect([...(await two.list('ann'))].sort()).toEqual(['A', 'B']);
    expect([await two.read('ann', 'a'), await two.read('bob', 'a'), await two.read('bob', 'b')]).toEqual([
      'A',
      'D',
      null,
    ]);
    await two.remove('ann', 'a');
    expect([await one.read('ann', 'a'), await one.list('ann'), await one.list('cleo')]).toEqual([null, ['B'], []]);
    expect(await one.add('ann', 'c', 'C', 2)).toBe(true);
  });

  test('are added once if two add the same', async () => {
    const [one, two] = await open(60_000);
    const added = await Promise.all([one.add('ann', 'a', 'A', 9), two.add('ann', 'a', 'B', 9)]);
    expect([...added].sort()).toEqual([false, true]);
    expect(await one.read('ann', 'a')).toBe(added[0] ? 'A' : 'B');
  });

  test('are replaced only by who knows them', async () => {
    const [one, two] = await open(60_000);
    await one.add('ann', 'a', 'A', 1);
    expect([await two.replace('ann', 'a', 'A', 'B'), await one.replace('ann', 'a', 'A', 'C')]).toEqual([true, false]);
    expect([await one.read('ann', 'a'), await one.replace('ann', 'b', 'A', 'C')]).toEqual(['B', false]);
  });

  test('are gone when they were not used for a while, and then count no more', async () => {
    const [one, two] = await open(400);
    await one.add('ann', 'old', 'A', 2);
    await one.add('ann', 'used', 'B', 2);
    for (let times = 0; times < 4; times++) {
      await pass(200);
      expect(await two.read('ann', 'used')).toBe('B');
    }
    expect([await one.read('ann', 'old'), await one.list('ann')]).toEqual([null, ['B']]);
    expect(await two.add('ann', 'new', 'C', 2)).toBe(true);
  });
}
