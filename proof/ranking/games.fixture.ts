// Publishers as the evidence sees them: rounds of decisions that begin, overlap and end. Results are in R. None of the games without an
// edge has an expected move in its favour at any moment.
import { EProcess } from '@tickwire/engine';

export type RandomNumber = () => number;

/** Positions that are open at the same time: how many, the highest R that each can reach, and how each ends. */
export interface Round {
  readonly count: number;
  readonly maxR: number;
  readonly result: (index: number) => number;
}

/** Makes one round after the other. `lastR` is the sum of the round before, 0 at the start. */
export type Game = (random: RandomNumber, lastR: number) => Round;

const units = (r: number): number => Math.round(r * 1e4);

/** Greatest e-value of one publisher in `decisions` decisions; all positions of a round are open at once. */
export function bestOfRounds(game: Game, decisions: number, random: RandomNumber): number {
  const evidence = new EProcess();
  let [best, lastR] = [1, 0];
  for (let ended = 0; ended < decisions; ) {
    const { count, maxR, result } = game(random, lastR);
    const bets = Array.from({ length: count }, () => evidence.open(maxR));
    lastR = 0;
    for (const [index, bet] of bets.entries()) {
      const r = result(index);
      evidence.settle(bet, units(r));
      lastR += r;
    }
    ended += count;
    best = Math.max(best, evidence.now().eValue);
  }
  return best;
}

/** Number of the decision with which the e-value first reaches `bar`, with always `open` positions; Infinity if it never does. */
export function firstAtBar(
  draw: (random: RandomNumber) => number,
  { open, maxR, decisions, bar }: { open: number; maxR: number; decisions: number; bar: number },
  random: RandomNumber,
): number {
  const evidence = new EProcess();
  const bets = Array.from({ length: open }, () => evidence.open(maxR));
  for (let ended = 1; ended <= decisions; ended++) {
    evidence.settle(bets.shift()!, units(draw(random)));
    if (evidence.now().eValue >= bar) return ended;
    bets.push(evidence.open(maxR));
  }
  return Number.POSITIVE_INFINITY;
}

/** Ten buys on one price, each with a stop and a target at 1 R, begun at different times. Open losses count. */
export function bestOfStaggered(decisions: number, random: RandomNumber): number {
  const evidence = new EProcess();
  const open: { readonly bet: ReturnType<EProcess['open']>; readonly entry: number }[] = [];
  let [price, best, ended] = [0, 1, 0];
  for (let step = 0; ended < decisions; step++) {
    if (step % 5 === 0 && open.length < 10) open.push({ bet: evidence.open(1), entry: price });
    price += random() < 0.5 ? 1 : -1;
    const gain = (entry: number): number => (price - entry) / 10;
    const before = ended;
    for (const each of [...open])
      if (Math.abs(gain(each.entry)) >= 1) {
        evidence.settle(each.bet, units(gain(each.entry)));
        open.splice(open.indexOf(each), 1);
        ended++;
      }
    if (ended === before) continue;
    const losses = open.flatMap(({ bet, entry }) => (gain(entry) < 0 ? { bet, units: units(gain(entry)) } : []));
    best = Math.max(best, evidence.now(losses).eValue);
  }
  return best;
}

/** Greatest e-value of the best of many accounts, each given up after 29 decisions without an edge, except the one that did best. */
export function bestOfGivenUp(accounts: number, game: Game, decisions: number, random: RandomNumber): number {
  const sums = Array.from({ length: accounts }, () => {
    let sum = 0;
    for (let count = 0; count < 29; count++) sum += coin(1)(random);
    return sum;
  });
  let [sum, count] = [Math.max(...sums), 29];
  for (; count < 30 || (sum <= 0 && count < decisions); count++) sum += coin(1)(random);
  return bestOfRounds(game, decisions - count, random);
}

/** `win` R with the probability that makes the mean `mean`, otherwise −1 R. */
export const coin =
  (win: number, mean = 0) =>
  (random: RandomNumber): number =>
    random() < (1 + mean) / (1 + win) ? win : -1;

const normal = (random: RandomNumber): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const same = (count: number, maxR: number, r: number): Round => ({ count, maxR, result: () => r });
const JUMP_R = 10;

/** A jump of any size, in which stops slip and targets do not. */
const jump = (random: RandomNumber, from: number, target: number): number =>
  Math.min(from + JUMP_R * normal(random), target);

/** The price wanders from 0 to the target or near the stop, and is held there until it jumps. */
const intoJump = (random: RandomNumber, target: number): number =>
  random() < 0.9 / (0.9 + target) ? target : jump(random, -0.9, target);

export const WITHOUT_EDGE: Readonly<Record<string, Game>> = {
  'one at a time, ±1 R': (random) => same(1, 1, coin(1)(random)),
  'one at a time, +2/−1 R': (random) => same(1, 2, coin(2)(random)),
  'one at a time, +10/−1 R': (random) => same(1, 10, coin(10)(random)),
  'ten identical, ±1 R': (random) => same(10, 1, coin(1)(random)),
  'ten identical, +2/−1 R': (random) => same(10, 2, coin(2)(random)),
  'ten correlated': (random) => {
    const common = coin(1)(random);
    return { count: 10, maxR: 1, result: () => (random() < 0.5 ? common : coin(1)(random)) };
  },
  'doubling after a loss': (random, lastR) => same(lastR < 0 ? Math.min(16, -2 * lastR) : 1, 1, coin(1)(random)),
  // One loss in ten is −4 R: a mean loss of 1.3 R.
  'slipping stops': (random) => same(1, 1, random() < 1.3 / 2.3 ? 1 : random() < 0.1 ? -4 : -1),
  'jumps of N(0, 10 R), far targets, ten open': (random) => same(10, 10, jump(random, 0, 10)),
  'held near the stop into the jump, one open': (random) => same(1, 1, intoJump(random, 1)),
  'held near the stop into the jump, ten open': (random) => same(10, 1, intoJump(random, 1)),
  'held near the stop into the jump, far targets': (random) => same(10, 10, intoJump(random, 10)),
};

/** Not covered by the guarantee: the price never jumps the other way. */
export const ONE_WAY_CRASHES: Readonly<Record<string, Game>> = {
  'one-way crashes of 10 R, one open': (random) => same(1, 0.1, random() < 10 / 10.1 ? 0.1 : -10),
  'one-way crashes of 10 R, ten open': (random) => same(10, 0.1, random() < 10 / 10.1 ? 0.1 : -10),
};
