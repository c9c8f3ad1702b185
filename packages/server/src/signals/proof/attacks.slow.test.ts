// The attacks on the ranking that live on chance, with 2,000 decisions (in full) of each publisher and many publishers. Seeded: every run
// gives the same figures.
import { expect, test } from 'bun:test';
import { atScale } from '../../../testing/scale.fixture.ts';
import {
  seesAhead,
  seesNextQuote,
  withdrawsBeforeNextQuote,
} from '../../../testing/signals/attack-knowledge.fixture.ts';
import { RandomWalk, type WalkOptions } from '../../../testing/signals/attack-market.fixture.ts';
import { play, STRATEGIES, type Strategy } from '../../../testing/signals/attack-strategies.fixture.ts';

const DECISIONS = atScale(500, 2_000);
const PUBLISHERS = 20;
/** The guarantee: at most 5 % of publishers without an edge are ever ranked. */
const MOST_RANKED = 0.05 * PUBLISHERS;
const LIQUID = { spread: 1, step: 40, interval: 50, start: 6_000_000 };
/** R per decision: several standard errors of a mean that is 0. */
const NOTHING = atScale(0.02, 0.01);
const SECONDS = 1_000;

const attacks: readonly (readonly [string, Strategy, Omit<WalkOptions, 'seed'>])[] = [
  ...Object.entries(STRATEGIES).map(([name, strategy]) => [name, strategy, {}] as const),
  ['a coin toss with a spread', STRATEGIES['a coin toss']!, { spread: 2 }],
  ['the next quote, entering and closing by hand', seesNextQuote, {}],
  ['the next quote, withdrawing orders', withdrawsBeforeNextQuote, {}],
  ['200 ms ahead, quotes with the time of the venue', seesAhead(4, 200, 20), { ...LIQUID, delay: 200 }],
];

test.each(attacks)(
  'at most 5 %% are ever ranked: %s',
  (name, strategy, options) => {
    let [ranked, best, sum] = [0, 0, 0];
    for (let seed = 1; seed <= PUBLISHERS; seed++) {
      const played = play(new RandomWalk({ seed, ...options }), strategy, DECISIONS);
      expect(played.decisions).toBeGreaterThanOrEqual(DECISIONS);
      if (played.everRanked) ranked++;
      best = Math.max(best, played.bestEValue);
      sum += played.meanR;
    }
    const mean = (sum / PUBLISHERS).toFixed(4);
    console.log(`${name}: ${ranked} of ${PUBLISHERS} ever ranked, best e-value ${best.toFixed(2)}, mean R ${mean}`);
    expect(ranked).toBeLessThanOrEqual(MOST_RANKED);
    expect(sum / PUBLISHERS).toBeLessThan(NOTHING);
  },
  300 * SECONDS,
);

test('an advantage of 100 to 200 ms in quotes with the time of their arrival, in a liquid market', () => {
  for (const [ms, quotes] of [
    [100, 2],
    [150, 3],
    [200, 4],
  ] as const) {
    const played = play(new RandomWalk({ seed: 1, ...LIQUID }), seesAhead(quotes, 200, 20), DECISIONS);
    console.log(`${ms} ms ahead: mean R ${played.meanR.toFixed(3)}, ranked: ${played.everRanked}`);
    expect(played.meanR).toBeGreaterThan(0);
  }
});
