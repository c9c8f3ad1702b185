import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { naiveEvidence, SignalHistory } from '../../testing/signal-history.ts';
import { asSymbol } from '../market/instrument.ts';
import { HOUR_MS } from '../market/time.ts';

const SOURCES = [...Array<string>(30).fill('sim'), 'push:pub_other', 'push:pub_own'];
const ACTIONS = { publish: 12, fill: 4, close: 12, void: 1, mark: 3 };

const step = fc.record({
  action: fc.constantFrom(...Object.entries(ACTIONS).flatMap(([action, weight]) => Array<string>(weight).fill(action))),
  pick: fc.nat(1000),
  symbol: fc.constantFrom('EURUSD', 'XAUUSD', 'BTCUSD', 'US500'),
  direction: fc.constantFrom('buy' as const, 'sell' as const),
  order: fc.constantFrom('market' as const, 'market' as const, 'limit' as const),
  source: fc.constantFrom(...SOURCES),
  units: fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: -15_000, max: 40_000 }) },
    { weight: 10, arbitrary: fc.constantFrom(-10_000, 20_000, 0, 150_000) },
    { weight: 1, arbitrary: fc.constantFrom(-60_000, -600_000) },
  ),
  gap: fc.constantFrom(false, false, false, false, true),
  hours: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function apply(history: SignalHistory, each: Step): void {
  history.now += each.hours * HOUR_MS;
  const all = [...history.signals.values()];
  const choose = (candidates: typeof all) => candidates[each.pick % Math.max(1, candidates.length)];
  const activeOnes = all.filter(({ closedN }) => closedN === null);
  const own = each.source === 'push:pub_own';
  if (each.action === 'publish') {
    history.publish({
      symbol: asSymbol(each.symbol),
      direction: each.direction,
      order: each.order,
      maxR: each.pick % 11,
      sources: { accepted: each.source, filled: null, decided: null },
      selfSourced: own,
    });
  } else if (each.action === 'fill') {
    const signal = choose(activeOnes.filter(({ filledAt }) => filledAt === null));
    if (signal) history.fill(signal.id, own ? 'sim' : each.source);
  } else if (each.action === 'close') {
    const signal = choose(activeOnes);
    if (!signal) return;
    const sources = { ...signal.sources, decided: each.source };
    history.close(signal.id, each.units / 1e4, { gap: each.gap, sources, selfSourced: signal.selfSourced || own });
  } else if (each.action === 'void') {
    const signal = choose(all.filter(({ voided }) => !voided));
    if (signal) history.void(signal.id);
  } else {
    const signal = choose(activeOnes);
    if (signal) history.marks.set(signal.id, each.units / 1e4);
  }
}

function expectSame(history: SignalHistory): void {
  const { eValue, maxWealth, ...evidence } = history.evidence();
  const { eValue: expected, maxWealth: expectedWealth, ...rest } = naiveEvidence(history);
  expect(evidence).toEqual(rest);
  expect(Math.abs(eValue - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, expected));
  expect(Math.abs(maxWealth - expectedWealth)).toBeLessThanOrEqual(1e-9 * Math.max(1, expectedWealth));
}

test('evidence updated record by record equals a recalculation from the complete list, at every moment', () => {
  let ended = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 250, maxLength: 350, size: 'max' }), (steps) => {
      const history = new SignalHistory();
      steps.forEach((each, index) => {
        apply(history, each);
        if (index % 120 === 0) expectSame(history);
      });
      expectSame(history);
      if (history.evidence().trial) ended++;
    }),
    { numRuns: 25 },
  );
  expect(ended).toBeGreaterThan(2);
});
