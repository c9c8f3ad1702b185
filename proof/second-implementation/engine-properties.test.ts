// Properties of the engine that hold for any market, on the scenarios that the second implementation judges too.
// In full: 2,000 scenarios.
import { describe, expect, test } from 'bun:test';
import { asSymbol, Verifier } from '@tickwire/engine';
import { atScale } from '../../packages/server/testing/scale.fixture.ts';
import { EngineRun, runEngine, specOf } from './engine-run.fixture.ts';
import { mirrored, mirroredAnswer } from './mirrored-scenario.fixture.ts';
import { Random } from './random.fixture.ts';
import { randomScenario } from './random-scenario.fixture.ts';
import type { Answer, Scenario } from './scenario.fixture.ts';

const RUNS = atScale(300, 2_000);
const SEEDS = Array.from({ length: RUNS }, (_, index) => index + 1);
const LIMIT_MS = 120_000;

describe('the engine', () => {
  test(
    'gives the same outcome, pips and R if prices and direction are mirrored together',
    () => {
      let compared = 0;
      for (const seed of SEEDS) {
        const scenario = randomScenario(seed);
        const mirror = mirrored(scenario);
        const [here, there] = [runEngine(scenario), runEngine(mirror.scenario)];
        // Tolerances and the farthest levels are shares of the price, which is another one there.
        if (!Bun.deepEquals(here.map(acceptanceOf), there.map(acceptanceOf))) continue;
        compared++;
        const expected = here.map((answer) => mirroredAnswer(mirroredAnswer(answer, mirror.price), mirror.price));
        const found = there.map((answer) => mirroredAnswer(answer, mirror.price));
        expect({ seed, answers: found }).toEqual({ seed, answers: expected });
      }
      expect(compared).toBeGreaterThan(RUNS / 2);
    },
    LIMIT_MS,
  );

  test(
    'judges each instrument as if there were no other',
    () => {
      for (const seed of SEEDS) {
        // The clock is the same for all instruments.
        const alone = [0, 1, 2].map((index) => withoutClock(randomScenario(3 * seed + index)));
        const specs = alone.map(({ instrument }, index) => specOf(instrument, asSymbol(`NUMBER${index}`)));
        const verifier = new Verifier(specs);
        const runs = specs.map((spec) => new EngineRun(spec, verifier));
        const waiting = alone.map(({ events }, index) =>
          // Ids are unique in a scenario only.
          events.map((event) => ('signal' in event ? { ...event, signal: `${index} ${event.signal}` } : event)),
        );
        const random = new Random(seed);
        while (waiting.some((events) => events.length > 0)) {
          const index = random.pick(waiting.flatMap((events, at) => (events.length > 0 ? [at] : [])));
          runs[index]!.read(waiting[index]!.shift()!);
        }
        for (const [index, scenario] of alone.entries()) {
          const expected = runEngine(scenario).map((answer) => ({ ...answer, signal: `${index} ${answer.signal}` }));
          expect({ seed, answers: runs[index]!.answers() }).toEqual({ seed, answers: expected });
        }
      }
    },
    LIMIT_MS,
  );

  test(
    'judges each signal as if there were no other',
    () => {
      for (const seed of SEEDS) {
        const scenario = randomScenario(seed);
        for (const answer of runEngine(scenario)) {
          const events = scenario.events.filter((event) => !('signal' in event) || event.signal === answer.signal);
          expect({ seed, answers: runEngine({ ...scenario, events }) }).toEqual({ seed, answers: [answer] });
        }
      }
    },
    LIMIT_MS,
  );

  test(
    'gives the same result across restarts, except where a missed trade may be the last price',
    () => {
      let restarts = 0;
      for (const seed of SEEDS) {
        const scenario = randomScenario(seed);
        const random = new Random(seed);
        const missed = missedTrades(scenario);
        const run = new EngineRun(specOf(scenario.instrument));
        for (const [index, event] of scenario.events.entries()) {
          run.read(event);
          const known = missed[index] === 'none' || (missed[index] === 'before_quote' && !run.hasDue);
          if (!known || !random.chance(0.1)) continue;
          run.restart();
          restarts++;
        }
        expect({ seed, answers: run.answers() }).toEqual({ seed, answers: runEngine(scenario) });
      }
      expect(restarts).toBeGreaterThan(RUNS);
    },
    LIMIT_MS,
  );
});

/** What was accepted, and as what. */
const acceptanceOf = (answer: Answer): unknown =>
  'order' in answer ? [answer.order, answer.requests] : answer.rejected;

const withoutClock = (scenario: Scenario): Scenario => ({
  ...scenario,
  events: scenario.events.filter(({ type }) => type !== 'clock'),
});

/**
 * After each event: whether there was a missed trade, and whether a quote has come since. The tape does not say which trades were
 * missed, so that after a restart such a trade is neither the standing price nor the last price before a deadline (R4).
 */
function missedTrades({ events }: Scenario): ('none' | 'before_quote' | 'since_quote')[] {
  let disconnected = false;
  let missed: 'none' | 'before_quote' | 'since_quote' = 'none';
  return events.map(({ type }) => {
    if (type === 'disconnect') disconnected = true;
    else if (['quote', 'gap', 'backfilled', 'failover'].includes(type)) disconnected = false;
    if (type === 'quote' && missed !== 'none') missed = 'before_quote';
    else if (type === 'trade' && disconnected) missed = 'since_quote';
    return missed;
  });
}
