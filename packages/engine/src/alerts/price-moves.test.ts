import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../market/time.ts';
import { PriceMoves } from './price-moves.ts';
import type { ValueStream, Watcher } from './value-stream.ts';

const START = 1_000_000;

/** Notes at which price a move of at least this percentage begins and ends. */
class Flips implements Watcher {
  version = 0;
  readonly flips: number[] = [];
  at = 0;
  readonly #stream: ValueStream;
  readonly #percent: number;

  constructor(stream: ValueStream, percent: number) {
    this.#stream = stream;
    this.#percent = percent;
    stream.watch(1, percent, this, true);
  }

  reached(begins: boolean): void {
    this.flips.push(this.at);
    this.version++;
    if (begins) this.#stream.watch(-1, -(this.#percent - 1e-9), this, false);
    else this.#stream.watch(1, this.#percent, this, true);
  }

  reachedLate(): void {}
}

interface Price {
  readonly time: number;
  readonly ticks: number;
}

/** The same by looking at all prices for each price. */
function naiveFlips(prices: readonly Price[], minutes: number, percent: number, sign: 1 | -1): number[] {
  const flips: number[] = [];
  let holds = false;
  for (const [at, { time, ticks }] of prices.entries()) {
    // A price stands until the next one.
    const isIn = (_: Price, index: number): boolean =>
      index === at || prices[index + 1]!.time > time - minutes * MINUTE_MS;
    const window = prices.slice(0, at + 1).filter(isIn);
    const extreme = sign * Math.min(...window.map((past) => sign * past.ticks));
    const move = (sign * (ticks - extreme) * 100) / extreme;
    if (move >= percent === holds) continue;
    holds = !holds;
    flips.push(at);
  }
  return flips;
}

const after = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  fc.integer({ min: 30_000, max: 130_000 }),
);
const step = fc.record({ after, by: fc.integer({ min: -6, max: 6 }) });

test('moves of several windows begin and end at the same prices as if all prices were looked at', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 300, maxLength: 700 }),
      fc.integer({ min: 1, max: 30 }),
      (steps, tenths) => {
        let [time, ticks] = [START, 1_000];
        const prices = steps.map(({ after, by }): Price => {
          time += after;
          ticks += by;
          return { time, ticks };
        });
        const moves = new PriceMoves();
        const percent = tenths / 10;
        const watched = [1, 2].flatMap((minutes) => {
          const { up, down } = moves.open(minutes, START, Number.NaN);
          return ([1, -1] as const).map((sign) => ({
            minutes,
            sign,
            flips: new Flips(sign === 1 ? up : down, percent),
          }));
        });
        for (const [at, price] of prices.entries()) {
          for (const { flips } of watched) flips.at = at;
          if (!moves.add(price.time, price.ticks)) continue;
          moves.measure(price.time, price.ticks);
          moves.wake();
        }
        for (const { minutes, sign, flips } of watched)
          expect(flips.flips).toEqual(naiveFlips(prices, minutes, percent, sign));
      },
    ),
    { numRuns: 20 },
  );
});
