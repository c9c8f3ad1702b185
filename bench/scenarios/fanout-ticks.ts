// The ticks of the fan-out: which symbols the readers take, how fast the simulated markets must run for a given rate, and
// a recording of the very messages for the peers to publish.
import { asEpochMs, CATALOGUE, Engine, type EngineEvent } from '@tickwire/engine';
import { STEP_MS } from '../../packages/server/src/feeds/sim/feed.ts';
import { SimMarket } from '../../packages/server/src/feeds/sim/market.ts';
import { tickBody } from '../../packages/server/src/gateway/encode.ts';

const SYMBOLS = 20;
const SPAN_MS = 10_000;
const SEED = 1;

export const FANOUT_SYMBOLS: readonly string[] = CATALOGUE.slice(0, SYMBOLS).map(({ symbol }) => symbol);

const market = (rate: number): SimMarket => new SimMarket(CATALOGUE, { seed: SEED, rate, hours: 'always' });

/** Quotes per second over all instruments that bring `perReader` per second on the readers' symbols. */
export function simRateFor(perReader: number): number {
  const { instruments } = market(1_000).model;
  const rateOf = (taken: typeof instruments): number =>
    taken.reduce((sum, { quotesPerUnit }) => sum + quotesPerUnit, 0);
  const read = instruments.filter(({ spec }) => FANOUT_SYMBOLS.includes(spec.symbol));
  return Math.round(perReader / (rateOf(read) / rateOf(instruments)));
}

/** Ten seconds of market messages without their closing brace, as our gateway encodes them, in steps as our feed makes them. */
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
