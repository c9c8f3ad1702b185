import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { naiveEvidence, SignalHistory } from '../../testing/signal-history.ts';
import { TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { HOUR_MS } from '../market/time.ts';
import { TrackRecord } from './track-record.ts';

const SOURCES = ['sim', 'sim', 'sim', 'sim', 'push:pub_other', 'push:pub_own'];

const step = fc.record({
  action: fc.constantFrom('publish', 'publish', 'publish', 'fill', 'close', 'close', 'void', 'mark', 'mark'),
  pick: fc.nat(1000),
  symbol: fc.constantFrom('EURUSD', 'XAUUSD'),
  direction: fc.constantFrom('buy' as const, 'sell' as const),
  order: fc.constantFrom('market' as const, 'market' as const, 'limit' as const),
  source: fc.constantFrom(...SOURCES),
  units: fc.oneof(fc.integer({ min: -20_000, max: 30_000 }), fc.constantFrom(-10_000, 20_000, 0, 150_000), {
    weight: 1,
    arbitrary: fc.constantFrom(-50_000, -50_001),
  }),
  rules: fc.constantFrom(2, 2, 2, 2, 2, 2, 1),
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
      rules: each.rules,
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
    const signal = choose(all.filter(({ voided, rules }) => !voided && rules === 2));
    if (signal) history.void(signal.id);
  } else {
    const signal = choose(activeOnes);
    if (signal) history.marks.set(signal.id, each.units / 1e4);
  }
}

function expectSame(history: SignalHistory, record = history.record): void {
  const { eValue, ...evidence } = record.marked(history.markOf).evidence;
  const { eValue: expected, ...rest } = naiveEvidence(history.signals.values(), history.markOf);
  expect(evidence).toEqual(rest);
  expect(Math.abs(eValue - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, expected));
}

test('evidence updated record by record equals a recalculation from the complete list, at every moment', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const history = new SignalHistory();
      steps.forEach((each, index) => {
        apply(history, each);
        if (index % 5 === 0) expectSame(history);
      });
      expectSame(history);
    }),
    { numRuns: 300 },
  );
});

test('a record restored from the signals as they are now equals one that was kept up to date', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const history = new SignalHistory();
      for (const each of steps) apply(history, each);
      const all = [...history.signals.values()].sort((a, b) => a.publishedN - b.publishedN);
      const restored = new TrackRecord(TRUSTED);
      const events = all.flatMap((signal) => [
        { n: signal.publishedN, run: () => restored.publish(signal) },
        ...(signal.closedN === null ? [] : [{ n: signal.closedN, run: () => restored.close(signal) }]),
      ]);
      for (const { run } of events.sort((a, b) => a.n - b.n)) run();
      expectSame(history, restored);
      const { warnings: _, ...marked } = restored.marked(history.markOf);
      expect(history.record.marked(history.markOf)).toMatchObject(marked);
      expect(restored.summary()).toEqual(history.record.summary());
      expect(restored.equity()).toEqual(history.record.equity());
      expect(restored.months(2)).toEqual(history.record.months(2));
      expect(restored.voided).toBe(history.record.voided);
      for (const { id, closedN } of all) expect(restored.has(id)).toBe(closedN === null);
    }),
    { numRuns: 300 },
  );
});
