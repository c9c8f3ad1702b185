// Disturbed rounds are repeated as often as allowed, and the least disturbed ones count.
import { expect, test } from 'bun:test';
import { BenchProgress } from '../progress.ts';
import { type Contender, quietRounds } from './quiet-rounds.ts';
import { QuietWait } from './quiet-wait.ts';

const options = {
  rounds: 2,
  extra: 2,
  warmUp: false,
  disturbance: (share: number) => share,
  limit: 0.05,
  quiet: new QuietWait([], 0),
  progress: new BenchProgress({ write() {} }),
};

/** Its turns have these disturbances. */
const contender = (name: string, shares: readonly number[]): Contender<number | null> => {
  const left = [...shares];
  return { name, missing: null, measure: async () => left.shift()! };
};

test('a round is repeated if one of its contenders was disturbed', async () => {
  const both = [contender('a', [0.01, 0.02, 0.03]), contender('b', [0.01, 0.3, 0.01])];
  const { rounds, repeated } = await quietRounds(both, 'test', options);
  expect(repeated).toBe(1);
  expect([...rounds]).toEqual([
    ['a', [0.01, 0.03]],
    ['b', [0.01, 0.01]],
  ]);
});

test('on a machine that is never quiet, the least disturbed rounds count', async () => {
  const { rounds, repeated } = await quietRounds([contender('a', [0.9, 0.2, 0.5, 0.1])], 'test', options);
  expect(repeated).toBe(2);
  expect(rounds.get('a')).toEqual([0.2, 0.1]);
});

test('quiet rounds are not repeated, and the warm-up does not count', async () => {
  const { rounds, repeated } = await quietRounds([contender('a', [0.9, 0.01, 0.02])], 'test', {
    ...options,
    warmUp: true,
  });
  expect(repeated).toBe(0);
  expect(rounds.get('a')).toEqual([0.01, 0.02]);
});

test('a contender that fails takes part no longer', async () => {
  let missing: string | null = null;
  let turns = 0;
  const failing: Contender<number | null> = {
    name: 'b',
    get missing() {
      return missing;
    },
    async measure() {
      turns++;
      missing = 'crashed';
      return null;
    },
  };
  const { rounds } = await quietRounds([contender('a', [0.01, 0.01]), failing], 'test', options);
  expect(turns).toBe(1);
  expect(rounds.get('a')).toHaveLength(2);
  expect(rounds.get('b')).toEqual([]);
});
