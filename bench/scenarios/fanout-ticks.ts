// The ticks of the fan-out: the symbols the readers subscribe to, the simulation rate for a given delivery rate, and a recording of
// the same messages for the peers.
import { asEpochMs, CATALOGUE, Engine, type EngineEvent } from '@tickwire/engine';
import { STEP_MS } from '../../packages/server/src/market/feeds/sim/sim-feed.ts';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { tickBody } from '../../packages/server/src/ws/encode.ts';

const SYMBOLS = 20;
const SPAN_MS = 10_000;
const SEED = 1;

export const FANOUT_SYMBOLS: readonly string[] = CATALOGUE.slice(0, SYMBOLS).map(({ symbol }) => symbol);

const market = (rate: number): SimMarket => new SimMarket(CATALOGUE, { seed: SEED, rate, hours: 'always' });

/** Quotes per second of all instruments that give `perReader` ticks per second on the readers' symbols. */
export function simRateFor(perReader: number): number {
  const { instruments } = market(1_000).model;
  const rateOf = (taken: typeof instruments): number =>
    taken.reduce((sum, { quotesPerUnit }) => sum + quotesPerUnit, 0);
  const read = instruments.filter(({ spec }) => FANOUT_SYMBOLS.includes(spec.symbol));
  return Math.round(perReader / (rateOf(read) / rateOf(instruments)));
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
    .filter(({ symbol }) => FANOUT_SYMBOLS.includes(symbol))
    .map((tick) => ({
      offset: tick.time - start,
      symbol: tick.symbol,
      body: tickBody(tick, tick.volume, digits.get(tick.symbol)!),
    }));
  return JSON.stringify({ spanMs: SPAN_MS, stepMs: STEP_MS, ticks });
}
