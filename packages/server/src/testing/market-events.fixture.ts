// Ticks and trades as they leave the engine, as many as a test wants, no two alike.
import { asEpochMs, asSymbol, type FlowEvent, roundSize, roundTo, type TickEvent } from '@tickwire/engine';
import type { RunningService } from './service.fixture.ts';

let made = 0;

export function tickEvents(count: number, symbols: readonly string[] = ['EURUSD']): TickEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const bid = roundTo(1 + (++made % 50_000) / 100_000, 5);
    const symbol = asSymbol(symbols[at % symbols.length]!);
    const ask = roundTo(bid + 0.00012, 5);
    const time = asEpochMs(Date.now());
    return { kind: 'tick', symbol, time, bid, ask, bidSize: 1, askSize: 1, volume: roundSize((made % 97) / 4) };
  });
}

const ABSORPTIONS = [null, 'buy', 'sell'] as const;
const METHODS = [null, 'quote_rule', 'tick_rule'] as const;
let cumulative = 0;

/** Every side with every method and every absorption. */
export function flowEvents(count: number, symbols: readonly string[] = ['EURUSD']): FlowEvent[] {
  return Array.from({ length: count }, (_, at) => {
    made++;
    const size = roundSize(0.25 + (made % 89) / 8);
    const side = made % 2 === 0 ? 'buy' : 'sell';
    cumulative = roundSize(cumulative + (side === 'buy' ? size : -size));
    return {
      kind: 'flow',
      symbol: asSymbol(symbols[at % symbols.length]!),
      time: asEpochMs(Date.now()),
      price: roundTo(1 + (made % 50_000) / 100_000, 5),
      size,
      side,
      sideMethod: METHODS[Math.floor(made / 5) % 3]!,
      cumulativeDelta: cumulative,
      imbalance: roundTo(((made % 21) - 10) / 10, 4),
      absorption: ABSORPTIONS[Math.floor(made / 15) % 3]!,
    };
  });
}

const PORTION = 500;

/** Brings events in as a fast market does: portion by portion, so that readers of the same process come to read. */
export async function bring({ app }: RunningService, events: readonly (TickEvent | FlowEvent)[]): Promise<void> {
  for (let at = 0; at < events.length; at += PORTION) {
    app.journal.append(events.slice(at, at + PORTION));
    await Bun.sleep(1);
  }
}
