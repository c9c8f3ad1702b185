// Simulated ticks of one instrument, generated in advance.
import { asEpochMs, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type SimEvent, SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';

/** Quotes per second of a busy market; there are half as many trades. */
const RATE = 50;
/** Start of the run: it crosses midnight, so that every timeframe closes once. */
const MIDNIGHT = Date.UTC(2026, 0, 15);

export const BTCUSD: InstrumentSpec = CATALOGUE.find(({ symbol }) => symbol === 'BTCUSD')!;

/** About `wanted` quotes and trades. */
export function simulatedTicks(spec: InstrumentSpec, wanted: number): SimEvent[] {
  const market = new SimMarket([spec], { seed: 1, rate: RATE, hours: 'always' });
  const half = (wanted / (RATE * 1.5) / 2) * 1000;
  return market.collect(asEpochMs(MIDNIGHT - half), asEpochMs(MIDNIGHT + half));
}

export const durationHours = (events: readonly SimEvent[]): number =>
  (events.at(-1)!.time - events[0]!.time) / 3_600_000;
