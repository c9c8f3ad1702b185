// The ticks of the fan-out: the simulation rate for a given delivery rate, and a recording of the same messages for the bare server.
import { asEpochMs, CATALOGUE, Engine, type EngineEvent } from '@tickwire/engine';
import { STEP_MS } from '../../packages/server/src/market/feeds/sim/sim-feed.ts';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { tickBody } from '../../packages/server/src/market/streams/tick-messages.ts';
import { SYMBOLS, SYMBOLS_PER_READER } from '../load/reader-lists.ts';

const SPAN_MS = 10_000;
const SEED = 1;

const market = (rate: number): SimMarket => new SimMarket(CATALOGUE, { seed: SEED, rate, hours: 'always' });

/** Quotes per second of all instruments that give `perReader` ticks per second to readers with some of the symbols. */
export const simRateFor = (perReader: number): number => Math.round((perReader * SYMBOLS.length) / SYMBOLS_PER_READER);

export interface RecordedTicks {
  readonly spanMs: number;
  readonly stepMs: number;
  readonly ticks: readonly { readonly offset: number; readonly symbol: string; readonly body: string }[];
}

/** Ten seconds of market messages, encoded as by Tickwire but without the closing brace, in the steps of our feed. */
export function recordTicks(simRate: number, from: number): string {
  const engine = new Engine(CATALOGUE);
  const digits = new Map(CATALOGUE.map((spec) => [spec.symbol, spec.digits]));
  const start = asEpochMs(from);
  const events: EngineEvent[] = [];
  for (const event of market(simRate).collect(start, asEpochMs(start + SPAN_MS))) engine.apply(event, events);
  const ticks = events
    .filter((event) => event.kind === 'tick')
    .map((tick) => ({
      offset: tick.time - start,
      symbol: tick.symbol,
      body: tickBody(tick, tick.volume, digits.get(tick.symbol)!),
    }));
  const recorded: RecordedTicks = { spanMs: SPAN_MS, stepMs: STEP_MS, ticks };
  return JSON.stringify(recorded);
}
