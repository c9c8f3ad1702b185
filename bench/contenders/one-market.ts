// The ticks of one instrument, made beforehand.
import { asEpochMs, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type SimEvent, SimMarket } from '../../packages/server/src/feeds/sim/market.ts';

/** Quotes per second of a busy market, with half as many trades. */
const RATE = 50;
/** The run crosses midnight, so that every timeframe closes once. */
const MIDNIGHT = Date.UTC(2026, 0, 15);

export const BTCUSD: InstrumentSpec = CATALOGUE.find(({ symbol }) => symbol === 'BTCUSD')!;

/** About as many quotes and trades as wanted. */
export function ticksOf(spec: InstrumentSpec, wanted: number): SimEvent[] {
  const market = new SimMarket([spec], { seed: 1, rate: RATE, hours: 'always' });
  const half = (wanted / (RATE * 1.5) / 2) * 1000;
  return market.collect(asEpochMs(MIDNIGHT - half), asEpochMs(MIDNIGHT + half));
}

export const hoursOf = (events: readonly SimEvent[]): number => (events.at(-1)!.time - events[0]!.time) / 3_600_000;
