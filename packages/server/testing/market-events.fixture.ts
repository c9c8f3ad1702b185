// Creates ticks and trades as emitted by the engine, all different.
import { asEpochMs, asSymbol, type FlowEvent, roundSize, roundTo, type TickEvent } from '@tickwire/engine';
import type { RunningService } from './service.fixture.ts';

let created = 0;

export function tickEvents(count: number, symbols: readonly string[] = ['EURUSD']): TickEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const bid = roundTo(1 + (++created % 50_000) / 100_000, 5);
    const symbol = asSymbol(symbols[at % symbols.length]!);
    const ask = roundTo(bid + 0.00012, 5);
    const time = asEpochMs(Date.now());
    return { kind: 'tick', symbol, time, bid, ask, bidSize: 1, askSize: 1, volume: roundSize((created % 97) / 4) };
  });
}

const ABSORPTIONS = [null, 'buy', 'sell'] as const;
const METHODS = [null, 'quote_rule', 'tick_rule'] as const;
let cumulative = 0;

/** Covers every combination of side, method and absorption. */
export function flowEvents(count: number, symbols: readonly string[] = ['EURUSD']): FlowEvent[] {
  return Array.from({ length: count }, (_, at) => {
    created++;
    const size = roundSize(0.25 + (created % 89) / 8);
    const side = created % 2 === 0 ? 'buy' : 'sell';
    cumulative = roundSize(cumulative + (side === 'buy' ? size : -size));
    return {
      kind: 'flow',
      symbol: asSymbol(symbols[at % symbols.length]!),
      time: asEpochMs(Date.now()),
      price: roundTo(1 + (created % 50_000) / 100_000, 5),
      size,
      side,
      sideMethod: METHODS[Math.floor(created / 5) % 3]!,
      cumulativeDelta: cumulative,
      imbalance: roundTo(((created % 21) - 10) / 10, 4),
      absorption: ABSORPTIONS[Math.floor(created / 15) % 3]!,
    };
  });
}

const BATCH = 500;

/** Appends events like a fast market: in batches, so that subscribers in the same process get to run. */
export async function appendEvents({ app }: RunningService, events: readonly (TickEvent | FlowEvent)[]): Promise<void> {
  for (let at = 0; at < events.length; at += BATCH) {
    app.journal.append(events.slice(at, at + BATCH));
    await Bun.sleep(1);
  }
}
