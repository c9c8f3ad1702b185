// The guarantee of the ranking and its power, by simulation: seeded, so that every run gives the same figures.
import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../testing/random.ts';
import { EProcess } from './e-value.ts';
import { discoveryCount, MIN_DECISIONS } from './ranking.ts';

/** Results in units of 1e-4 R. */
interface Game {
  readonly win: number;
  readonly loss: number;
  readonly chance: number;
}

/** A fair game, from which each trade pays `cost` R of spread. */
const fair = (win: number, cost: number): Game => ({
  win: Math.round((win - cost) * 1e4),
  loss: Math.round((-1 - cost) * 1e4),
  chance: 1 / (1 + win),
});
/** A true mean of +0.2 R. */
const skilled = (win: number): Game => ({ win: win * 1e4, loss: -1e4, chance: 1.2 / (1 + win) });

const draw = ({ win, loss, chance }: Game, random: () => number): number => (random() < chance ? win : loss);

/** The decision at which a publisher, alone in its installation, first passes; Infinity if it never does. */
function firstPass(game: Game, decisions: number, random: () => number): number {
  const evidence = new EProcess();
  for (let count = 1; count <= decisions; count++) {
    evidence.settle(evidence.open(), draw(game, random));
    if (count >= MIN_DECISIONS && discoveryCount([evidence.value()]) === 1) return count;
  }
  return Number.POSITIVE_INFINITY;
}

function passes(game: Game, decisions: number, runs: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: runs }, () => firstPass(game, decisions, random)).sort((a, b) => a - b);
}

const shareBefore = (sorted: readonly number[], limit: number): number =>
  sorted.filter((count) => count <= limit).length / sorted.length;

describe('without an edge, watched for 2,000 decisions and stopped at the best moment', () => {
  const games = {
    '±1 without costs': fair(1, 0),
    '±1 with a spread of 2 %': fair(1, 0.02),
    '+2/−1 without costs': fair(2, 0),
    '+2/−1 with a spread of 2 %': fair(2, 0.02),
    'lottery of +10/−1': fair(10, 0),
    'small wins of 0.25, losses of 1': fair(0.25, 0),
  };
  test.each(Object.entries(games))(
    'at most 5 %% are ever ranked: %s',
    (name, game) => {
      const share = shareBefore(passes(game, 2_000, 3_000, 7), 2_000);
      console.log(`no edge, ${name}: ${(100 * share).toFixed(2)} % ever ranked`);
      expect(share).toBeLessThanOrEqual(0.05);
    },
    60_000,
  );
});

test('two accounts with the same signals in opposite directions: at most 5 % of the pairs have a ranked one', () => {
  const random = seededRandom(13);
  const pairs = 1_000;
  let ranked = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const [long, short] = [new EProcess(), new EProcess()];
    for (let count = 1; count <= 2_000; count++) {
      const sign = random() < 0.5 ? 1 : -1;
      long.settle(long.open(), sign * 10_000);
      short.settle(short.open(), sign * -10_000);
      const values = [long.value(), short.value()].sort((a, b) => b - a);
      if (count < MIN_DECISIONS || discoveryCount(values) === 0) continue;
      ranked++;
      break;
    }
  }
  console.log(`mirrored accounts: ${((100 * ranked) / pairs).toFixed(2)} % of the pairs ever have a ranked one`);
  expect(ranked / pairs).toBeLessThanOrEqual(0.05);
}, 60_000);

test.each([2, 5, 10, 20])(
  '%d instruments that always move together, without an edge: at most 5 %% are ever ranked',
  (size) => {
    const random = seededRandom(17);
    const runs = 1_000;
    let ranked = 0;
    for (let run = 0; run < runs; run++) {
      const evidence = new EProcess();
      for (let count = size; count <= 2_000; count += size) {
        const bets = Array.from({ length: size }, () => evidence.open());
        const result = draw(fair(run % 2 === 0 ? 1 : 2, 0), random);
        for (const bet of bets) evidence.settle(bet, result);
        if (count < MIN_DECISIONS || discoveryCount([evidence.value()]) === 0) continue;
        ranked++;
        break;
      }
    }
    console.log(`${size} instruments as one bet: ${((100 * ranked) / runs).toFixed(2)} % ever ranked`);
    expect(ranked / runs).toBeLessThanOrEqual(0.05);
  },
  60_000,
);

/** e-values of one installation after every `step` decisions. */
function installation(games: readonly Game[], decisions: number, step: number, random: () => number): number[][] {
  const moments: number[][] = Array.from({ length: Math.floor(decisions / step) }, () => []);
  for (const game of games) {
    const evidence = new EProcess();
    for (let count = 1; count <= decisions; count++) {
      evidence.settle(evidence.open(), draw(game, random));
      if (count % step === 0) moments[count / step - 1]!.push(evidence.value());
    }
  }
  return moments;
}

/** False and all discoveries among publishers of which the first `nulls` have no edge. */
function discoveries(values: readonly number[], nulls: number): { readonly wrong: number; readonly all: number } {
  const order = values.map((_, index) => index).sort((a, b) => values[b]! - values[a]!);
  const all = discoveryCount(order.map((index) => values[index]!));
  return { wrong: order.slice(0, all).filter((index) => index < nulls).length, all };
}

describe('1,000 publishers', () => {
  test.each([
    ['none with an edge', 1_000],
    ['100 with an edge', 900],
  ] as const)(
    'have a false discovery rate of at most 5 %% at every moment: %s',
    (name, nulls) => {
      const random = seededRandom(11);
      const runs = 30;
      const step = 100;
      const rates = new Float64Array(2_000 / step);
      for (let run = 0; run < runs; run++) {
        const games = Array.from({ length: 1_000 }, (_, i) =>
          i < nulls ? fair(i % 2 === 0 ? 1 : 2, i % 4 < 2 ? 0 : 0.02) : skilled(i % 2 === 0 ? 1 : 2),
        );
        installation(games, 2_000, step, random).forEach((values, moment) => {
          const { wrong, all } = discoveries(values, nulls);
          rates[moment]! += all === 0 ? 0 : wrong / all / runs;
        });
      }
      const worst = Math.max(...rates);
      console.log(
        `1,000 publishers, ${name}: false discovery rate at most ${(100 * worst).toFixed(2)} % at any moment`,
      );
      expect(worst).toBeLessThanOrEqual(0.05);
    },
    60_000,
  );
});

describe('with a true mean of +0.2 R, 80 % of the publishers are ranked', () => {
  test.each([
    ['±1', 1, 300],
    ['+2/−1', 2, 600],
  ] as const)(
    'alone, %s: within the limit',
    (name, win, limit) => {
      const sorted = passes(skilled(win), 2_000, 2_000, 3);
      const at = sorted[Math.ceil(0.8 * sorted.length) - 1];
      console.log(`edge of 0.2 R alone, ${name}: 80 % are ranked within ${at} decisions`);
      expect(shareBefore(sorted, limit)).toBeGreaterThanOrEqual(0.8);
    },
    60_000,
  );

  test.each([
    ['±1', 1, 500],
    ['+2/−1', 2, 1_200],
  ] as const)(
    'among 100 of which 10 have the edge, %s: within the limit',
    (name, win, limit) => {
      const random = seededRandom(5);
      const runs = 60;
      let ranked = 0;
      const games = Array.from({ length: 100 }, (_, i) => (i < 90 ? fair(win, 0) : skilled(win)));
      for (let run = 0; run < runs; run++) {
        const [values] = installation(games, limit, limit, random);
        const { wrong, all } = discoveries(values!, 90);
        ranked += (all - wrong) / 10 / runs;
      }
      console.log(
        `edge of 0.2 R among 100, ${name}: ${(100 * ranked).toFixed(1)} % are ranked after ${limit} decisions`,
      );
      expect(ranked).toBeGreaterThanOrEqual(0.8);
    },
    60_000,
  );
});
