// Bars in whole ticks and size steps of a simulated instrument, in which sums and comparisons are exact.
import { asEpochMs, type Bar, roundSize } from '@tickwire/engine';
import type { DrawnBar } from './bar-draw.ts';
import type { InstrumentModel } from './model.ts';

/** Prices in ticks, volumes in steps; all are integers. */
export interface TickBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly steps: number;
  /** Bought by takers. */
  readonly askSteps: number;
}

type Scales = Pick<InstrumentModel, 'tickScale' | 'sizeScale'>;

export function toTickBar({ tickScale }: Scales, { open, high, low, close, steps, askSteps }: DrawnBar): TickBar {
  return {
    open: Math.max(1, Math.round(open * tickScale)),
    high: Math.max(1, Math.round(high * tickScale)),
    low: Math.max(1, Math.round(low * tickScale)),
    close: Math.max(1, Math.round(close * tickScale)),
    steps,
    askSteps,
  };
}

/** `time`: start of the bar in milliseconds. */
export function fromTickBar({ tickScale, sizeScale }: Scales, time: number, bar: TickBar): Bar {
  return {
    time: asEpochMs(time),
    open: bar.open / tickScale,
    high: bar.high / tickScale,
    low: bar.low / tickScale,
    close: bar.close / tickScale,
    volume: roundSize(bar.steps / sizeScale),
    bidVolume: roundSize((bar.steps - bar.askSteps) / sizeScale),
    askVolume: roundSize(bar.askSteps / sizeScale),
    basis: 'trade',
  };
}

export function fromBar({ tickScale, sizeScale }: Scales, bar: Bar): TickBar {
  return {
    open: Math.round(bar.open * tickScale),
    high: Math.round(bar.high * tickScale),
    low: Math.round(bar.low * tickScale),
    close: Math.round(bar.close * tickScale),
    steps: Math.round(bar.volume * sizeScale),
    askSteps: Math.round(bar.askVolume * sizeScale),
  };
}
