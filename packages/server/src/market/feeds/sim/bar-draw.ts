// Draws a bar between two values of the path, without rounding: open and close lie at the bid or the ask there, high and low
// come from the distribution of a Brownian bridge between them, volumes are the average sum of the ticks of that time.
import { BUCKET_UNITS } from './activity-profile.ts';
import type { BarSpan } from './bar-plan.ts';
import { PRESSURE_SIZE, PRESSURE_TIME_SHARE, sizeFactor } from './conditions.ts';
import { type InstrumentModel, type MarketModel, Purpose, volatilityOf } from './model.ts';
import { gaussian, uniform } from './noise.ts';
import { exp, log } from './portable-math.ts';
import { UNIT_MS } from './time-grid.ts';

/** Prices are not rounded; volumes are in whole size steps of the instrument. */
export interface DrawnBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly steps: number;
  /** Bought by takers. */
  readonly askSteps: number;
}

const TRADES_PER_QUOTE = 0.5;
const PRESSURE_MEAN = 1 + PRESSURE_TIME_SHARE * (PRESSURE_SIZE - 1);
/** In longer bars (over 4.5 hours) quiet and active times even out: they have the average volatility. */
const PROFILE_UNITS = 2 ** 17;

/** `first` and `last`: log-values of the path at the start and the end of the span. */
export function drawBar(
  model: MarketModel,
  instrument: InstrumentModel,
  span: BarSpan,
  first: number,
  last: number,
): DrawnBar {
  const { noise, unitVol, tickScale, spreadTicks } = instrument;
  const units = (span.to - span.from) / UNIT_MS;
  const bucket = Math.floor((span.from / UNIT_MS + units / 2) / BUCKET_UNITS);
  const volatility = units <= PROFILE_UNITS ? volatilityOf(model, instrument, bucket) : 1;
  const sd = unitVol * volatility * Math.sqrt(units);
  const { a: side, b: up, c: down } = noise.draw(span.from, Purpose.bar);
  const halfSpread = spreadTicks / tickScale / 2;
  // The first and the last trade are at the bid or at the ask; the extremes are nearly always at the outer one.
  const open = exp(first) + (side & 1 ? halfSpread : -halfSpread);
  const close = exp(last) + (noise.draw(span.to, Purpose.close).a & 1 ? halfSpread : -halfSpread);
  const trades = units * instrument.quotesPerUnit * TRADES_PER_QUOTE;
  const mean = trades * instrument.tradeSteps * sizeFactor(volatility) * PRESSURE_MEAN;
  const { a, b, c, d } = noise.draw(span.from, Purpose.barVolume);
  const steps = Math.max(1, Math.round(mean * exp(0.25 * gaussian(a, b))));
  const move = sd > 0 ? (last - first) / sd : 0;
  const boughtShare = Math.max(0.1, Math.min(0.9, 0.5 + 0.08 * move + 0.05 * gaussian(c, d)));
  return {
    open,
    high: Math.max(open, close, exp(extreme(first, last, sd, up, 1)) + halfSpread),
    low: Math.min(open, close, exp(extreme(first, last, sd, down, -1)) - halfSpread),
    close,
    steps,
    askSteps: Math.round(steps * boughtShare),
  };
}

/** The highest (sign 1) or lowest (−1) point of a Brownian bridge between two values; `sd` is that of the free path. */
function extreme(first: number, last: number, sd: number, word: number, sign: 1 | -1): number {
  const gap = last - first;
  const logarithm = log(Math.max(uniform(word), 1e-9));
  return (first + last + sign * Math.sqrt(gap * gap - 2 * sd * sd * logarithm)) / 2;
}
