import { expect, test } from 'bun:test';
import { CATALOGUE } from '../market/catalogue.ts';
import type { TickEvent } from '../market/events.ts';
import { asEpochMs, HOUR_MS, MINUTE_MS } from '../market/time.ts';
import { acceptSignal } from './acceptance.ts';
import type { QuoteEvidence } from './evidence.ts';
import { GRACE_MS } from './judged-signal.ts';
import { NO_PROGRESS, type Order } from './order.ts';
import type { Verdict } from './verdict.ts';
import { Verifier } from './verifier.ts';

const SIGNALS = 10_000;
const T0 = Date.UTC(2026, 2, 2, 12);
const spec = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const accepted: QuoteEvidence = { kind: 'quote', seq: 1, time: asEpochMs(T0), bid: 1.084, ask: 1.0841, source: 'sim' };
const fill = { price: 108_410, at: asEpochMs(T0), evidence: accepted };

/** The cost of a closing does not depend on how many signals close with it. */
test('10,000 signals that close on one tick take little time, at their stops and at the same deadline', () => {
  const figures: string[] = [];
  for (const [name, events] of [
    ['at their stops', [[T0 + MINUTE_MS, 1.0795]]],
    [
      'at their deadline',
      [
        [T0 + HOUR_MS, 1.084],
        [T0 + HOUR_MS + GRACE_MS, 1.084],
      ],
    ],
  ] as const) {
    const verifier = new Verifier([spec]);
    verifier.seedQuote(spec.symbol, accepted);
    for (let index = 0; index < SIGNALS; index++) verifier.add(orderOf(index), { ...NO_PROGRESS, fill });
    for (const [time, bid] of events) {
      const verdicts: Verdict[] = [];
      const before = process.cpuUsage();
      const tick = { kind: 'tick', symbol: spec.symbol, time: asEpochMs(time), bid, ask: bid + 0.0001 } as TickEvent;
      verifier.read({ firstSeq: 2, source: 'sim', events: [tick] }, verdicts);
      const { user, system } = process.cpuUsage(before);
      figures.push(`${verdicts.length} ${name} in ${Math.round((user + system) / 1_000)} ms`);
      expect((user + system) / 1_000).toBeLessThan(500);
    }
    expect(verifier.active).toBe(0);
  }
  console.log(`closing signals on one tick: ${figures.join(', ')}`);
});

function orderOf(index: number): Order {
  const targets = [{ price: 1.09, fraction: 1 }];
  const terms = { direction: 'buy', entry: 1.0841, stopLoss: 1.08, targets, breakevenAfter: null } as const;
  const expiresAt = asEpochMs(T0 + HOUR_MS);
  return acceptSignal(`sig_${index}`, spec, accepted, { ...terms, expiresAt }, asEpochMs(T0)) as Order;
}
