// The guarantee of the ranking and its power, by simulation: the tables of docs/reference/signals.md. Seeded, so that every run
// gives the same figures. Few runs in CI; `npm run test:full` has as many as the tables.
import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../packages/engine/testing/random.ts';
import { atScale, isFull } from '../../packages/server/testing/scale.fixture.ts';
import {
  bestOfGivenUp,
  bestOfRounds,
  bestOfStaggered,
  coin,
  firstAtBar,
  ONE_WAY_CRASHES,
  type RandomNumber,
  WITHOUT_EDGE,
} from './games.fixture.ts';

const RUNS = atScale(300, 4_000);
const DECISIONS = 2_000;
const RATE = 0.05;
/** 1 / 5 %. */
const BAR = 20;
/** What chance adds to a share of 5 % in few runs: three standard deviations. */
const NOISE = isFull ? 0 : 3 * Math.sqrt((RATE * (1 - RATE)) / RUNS);
const MINUTES = 60_000;

const bests = (best: (random: RandomNumber) => number, runs = RUNS): number[] => {
  const random = seededRandom(7);
  return Array.from({ length: runs }, () => best(random));
};
const shareAt = (bar: number, values: readonly number[]): number =>
  values.filter((value) => value >= bar).length / values.length;
const percent = (share: number, decimals = 1): string => (100 * share).toFixed(decimals);

describe(`without an edge, watched for ${DECISIONS} decisions, at most 5 % ever reach an e-value of ${BAR}`, () => {
  test.each([
    ...Object.entries(WITHOUT_EDGE).map(
      ([name, game]) => [name, (random: RandomNumber) => bestOfRounds(game, DECISIONS, random)] as const,
    ),
    ['ten staggered positions on one price', (random: RandomNumber) => bestOfStaggered(DECISIONS, random)] as const,
  ])(
    '%s',
    (name, best) => {
      const share = shareAt(BAR, bests(best));
      console.log(`no edge, ${name}: ${percent(share)} % of ${RUNS} runs`);
      expect(share).toBeLessThanOrEqual(RATE + NOISE);
    },
    5 * MINUTES,
  );

  test.each(Object.entries(ONE_WAY_CRASHES))(
    'not covered: %s',
    (name, game) => {
      const share = shareAt(
        BAR,
        bests((random) => bestOfRounds(game, DECISIONS, random)),
      );
      console.log(`not covered, ${name}: ${percent(share)} % of ${RUNS} runs`);
      expect(share).toBeGreaterThan(RATE);
    },
    5 * MINUTES,
  );
});

describe('many accounts without an edge', () => {
  const fair = WITHOUT_EDGE['one at a time, ±1 R']!;
  const runs = atScale(1_000, 20_000);
  const values = bests((random) => bestOfRounds(fair, DECISIONS, random), runs);

  test(
    'of 100 with numbers from 1 on, at most 0.05 · (1 + ln 100) are ever ranked on average',
    () => {
      for (const count of [10, 100]) {
        const mean = Array.from({ length: count }, (_, i) => shareAt(BAR * (i + 1), values)).reduce((a, b) => a + b);
        console.log(`${count} publishers: ${mean.toFixed(2)} ranked on average, of ${runs} records each`);
        expect(mean).toBeLessThanOrEqual(RATE * (1 + Math.log(count)) + NOISE);
      }
    },
    5 * MINUTES,
  );

  test(
    'a hundred clones of one record: few of them are ever ranked',
    () => {
      const share = Array.from({ length: 100 }, (_, i) => shareAt(BAR * (i + 1), values)).reduce((a, b) => a + b) / 100;
      console.log(`100 clones: ${percent(share, 2)} % of them are ever ranked, ${runs} runs`);
      expect(share).toBeLessThan(0.003);
    },
    5 * MINUTES,
  );

  test(
    'accounts given up before the end of a trial, of which the best goes on, are no attempts',
    () => {
      const best = bests((random) => bestOfGivenUp(100, fair, DECISIONS, random));
      const shares = [1, 6].map((number) => shareAt(BAR * number, best));
      const text = shares.map((share) => percent(share)).join(' and ');
      console.log(`the best of 100 accounts: ${text} % at number 1 and 6, ${RUNS} runs`);
      expect(shares[0]).toBeLessThanOrEqual(RATE + NOISE);
      expect(shares[1]).toBeLessThanOrEqual(RATE / 6 + NOISE);
    },
    5 * MINUTES,
  );
});

describe('with an edge', () => {
  const LIMITS = [300, 600, 1_000] as const;
  test.each([
    [1, 0.45],
    [3, 0.4],
    [5, 0.15],
    [10, 0],
  ] as const)(
    '%d open at once',
    (open, least) => {
      const runs = atScale(200, 3_000);
      for (const [name, win, mean] of [
        ['58 % at ±1 R', 1, 0.16],
        ['40 % at +2 R', 2, 0.2],
      ] as const) {
        const random = seededRandom(3);
        const settings = { open, maxR: win, decisions: LIMITS[2], bar: BAR };
        const firsts = Array.from({ length: runs }, () => firstAtBar(coin(win, mean), settings, random));
        const shares = LIMITS.map((limit) => firsts.filter((first) => first <= limit).length / runs);
        console.log(`${open} open, ${name}: ${shares.map((share) => percent(share, 0)).join('/')} % of ${runs} runs`);
        expect(shares[0]).toBeGreaterThanOrEqual(least);
        expect(shares[2]).toBeGreaterThanOrEqual(0.6);
      }
    },
    5 * MINUTES,
  );
});
