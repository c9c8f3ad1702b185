// How far a level is from a price: in pips or points, and in percent.
import type { Instrument } from '@tickwire/client';
import { moveUnit, percent, signedFigure } from '../../ui/format.ts';

/** `+12.3 pips, +0.11%`. */
export function distanceText(from: number, to: number, instrument: Instrument): string {
  const inPips = (to - from) / instrument.pip_size;
  return `${signedFigure(inPips, Math.abs(inPips) < 1_000 ? 1 : 0)} ${moveUnit(instrument)}, ${percent(to / from - 1)}`;
}
