// Scenarios over real quotes: hundreds of random signals at a time, at prices that the market reaches, and a clock.
import type { RealQuote } from '../../packages/server/testing/signals/real-ticks.fixture.ts';
import type { Random } from './random.fixture.ts';
import { randomRequest } from './random-request.fixture.ts';
import type { Scenario, ScenarioEvent } from './scenario.fixture.ts';

const SECOND_MS = 1_000;

export interface RealMarket {
  readonly instrument: Scenario['instrument'];
  readonly quotes: readonly RealQuote[];
  /** Ticks between the levels of signals: small and large ones. */
  readonly steps: readonly number[];
}

/** `quotes` consecutive quotes, with `signals` signals published among them. */
export function realScenario(
  random: Random,
  { instrument, quotes, steps }: RealMarket,
  size: { readonly quotes: number; readonly signals: number },
): Scenario {
  const { digits } = instrument;
  const from = random.integer(0, Math.max(0, quotes.length - size.quotes));
  const events: ScenarioEvent[] = [];
  const ids: string[] = [];
  const stops = new Map<string, { readonly stop: number; readonly sign: 1 | -1; readonly step: number }>();
  let seq = 1_000;
  let last = Number.POSITIVE_INFINITY;
  const ticks = (price: number): number => Math.round(price * 10 ** digits);
  const price = (value: number): number => Number((value / 10 ** digits).toFixed(digits));
  for (const { time, bid, ask } of quotes.slice(from, from + size.quotes)) {
    const second = Math.floor(time / SECOND_MS) * SECOND_MS;
    if (second > last) events.push({ type: 'clock', seq: seq++, time: second });
    last = time;
    events.push({ type: 'quote', seq: seq++, time, bid, ask, source: 'venue' });
    if (random.chance(size.signals / size.quotes)) {
      const step = random.pick(steps);
      const request = randomRequest(random, { digits, step, bid: ticks(bid), ask: ticks(ask) }, time);
      const signal = `r${ids.length}`;
      ids.push(signal);
      stops.set(signal, { stop: ticks(request.stop_loss), sign: request.direction === 'buy' ? 1 : -1, step });
      events.push({ type: 'publish', at: time, signal, publisher: random.pick(['p1', 'p2']), request });
    }
    const recent = ids.at(-random.integer(1, 50));
    if (recent === undefined) continue;
    const { stop, sign, step } = stops.get(recent)!;
    const stop_loss = price(stop + sign * step * random.integer(1, 3));
    if (random.chance(0.05)) events.push({ type: 'amend', at: time, signal: recent, stop_loss });
    if (random.chance(0.02)) events.push({ type: 'close', at: time, signal: recent });
  }
  return { scenario: from, instrument, events };
}
