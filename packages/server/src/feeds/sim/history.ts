// Bars of the past for a simulated market that starts with none: at least 520 closed ones of each timeframe, so that every
// request for history can be answered at once.
//
// Opens and closes are the path's own values, so the last bar joins the first live tick. Highs and lows are drawn from the
// law of a Brownian bridge between the two instead of running the ticks, which would take seconds even for the minutes.
// Volumes are what the ticks of that time would add up to on average. A longer bar is the fold of the shorter ones under
// it wherever those reach back far enough.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type Bar, type EpochMs, type HoursName, type InstrumentSpec, roundSize } from '@tickwire/engine';
import { foldBars } from './bar-fold.ts';
import { planBars, planMinutes, type Region, type Span } from './bar-plan.ts';
import { PRESSED_TIME, PRESSURE_SIZE, sizeFactor } from './conditions.ts';
import type { SimMarket } from './market.ts';
import { type InstrumentModel, livelinessOf, type MarketModel, Paths } from './model.ts';
import { gaussian, keyed, scramble, uniform } from './noise.ts';
import { BUCKET_UNITS } from './rhythm.ts';
import { UNIT_MS } from './time-grid.ts';

export interface SimBars {
  readonly symbol: InstrumentSpec['symbol'];
  readonly timeframe: Timeframe;
  /** Ascending. */
  readonly bars: Bar[];
}

const TRADES_PER_QUOTE = 0.5;
const PRESSURE_MEAN = 1 + PRESSED_TIME * (PRESSURE_SIZE - 1);
/** Over more than this (4.5 hours) quiet and lively times even out: such bars have the average volatility. */
const RHYTHM_UNITS = 2 ** 17;

/** Closed bars that end at or before `until`, which is a minute's start; one instrument after the other. */
export function* simHistory(market: SimMarket, until: EpochMs): Generator<SimBars, void, undefined> {
  const paths = new Paths(market.model.factors);
  for (const [hours, members] of byHours(market)) {
    const regions = planBars(hours, until);
    const samples = sampleFactors(paths, members, regions);
    for (const instrument of members) {
      const symbol = instrument.spec.symbol;
      let shorter: readonly Bar[] = [];
      for (const [place, region] of regions.entries()) {
        const drawn = region.drawn.map((span, at) => drawBar(market.model, instrument, span, samples[place]!, at));
        const bars = [...drawn, ...foldBars(shorter, TIMEFRAME_MS[region.timeframe], until)];
        yield { symbol, timeframe: region.timeframe, bars };
        shorter = bars;
      }
    }
  }
}

/** The whole minutes of a stretch of time, one instrument after the other: the same bars as in the history. */
export function* simMinutes(market: SimMarket, from: EpochMs, to: EpochMs): Generator<SimBars, void, undefined> {
  const paths = new Paths(market.model.factors);
  for (const [hours, members] of byHours(market)) {
    const region = planMinutes(hours, from, to);
    const [samples] = sampleFactors(paths, members, [region]);
    for (const instrument of members) {
      const bars = region.drawn.map((span, at) => drawBar(market.model, instrument, span, samples!, at));
      yield { symbol: instrument.spec.symbol, timeframe: region.timeframe, bars };
    }
  }
}

/** Instruments that keep the same hours have the same bars to be drawn. */
function byHours({ model, options }: SimMarket): Map<HoursName, InstrumentModel[]> {
  const groups = new Map<HoursName, InstrumentModel[]>();
  for (const instrument of model.instruments) {
    const hours = options.hours === 'always' ? 'always' : instrument.spec.hours;
    groups.set(hours, [...(groups.get(hours) ?? []), instrument]);
  }
  return groups;
}

/** Values of each factor at the start and the end of each drawn bar of a region. */
type Samples = ReadonlyMap<number, { readonly from: Float64Array; readonly to: Float64Array }>;

/** Reads each factor once in the order of time, however many instruments are made of it. */
function sampleFactors(paths: Paths, members: readonly InstrumentModel[], regions: readonly Region[]): Samples[] {
  const used = new Set(members.flatMap((instrument) => instrument.factors));
  return regions.map(({ drawn }) => {
    const samples = new Map<number, { from: Float64Array; to: Float64Array }>();
    for (const factor of used) {
      const path = paths.factors[factor]!;
      const from = new Float64Array(drawn.length);
      const to = new Float64Array(drawn.length);
      for (let at = 0; at < drawn.length; at++) {
        from[at] = path.at(drawn[at]!.from / UNIT_MS);
        to[at] = path.at(drawn[at]!.to / UNIT_MS);
      }
      samples.set(factor, { from, to });
    }
    return samples;
  });
}

function drawBar(model: MarketModel, instrument: InstrumentModel, span: Span, samples: Samples, at: number): Bar {
  const { logBase, factors, weights, key, unitVol, tickScale, spreadTicks, sizeScale } = instrument;
  let first = logBase;
  let last = logBase;
  for (let place = 0; place < weights.length; place++) {
    const factor = samples.get(factors[place]!)!;
    first += weights[place]! * factor.from[at]!;
    last += weights[place]! * factor.to[at]!;
  }
  const units = (span.to - span.from) / UNIT_MS;
  const bucket = Math.floor((span.from / UNIT_MS + units / 2) / BUCKET_UNITS);
  const liveliness = units <= RHYTHM_UNITS ? livelinessOf(model, instrument, bucket) : 1;
  const sd = unitVol * liveliness * Math.sqrt(units);
  const draw = keyed(key + 6, span.from);
  const spread = spreadTicks / tickScale / 2;
  // The first and the last trade were at the bid or at the ask; the extremes were, nearly always, at the outer one.
  const open = Math.exp(first) + (draw & 1 ? spread : -spread);
  const close = Math.exp(last) + (keyed(key + 7, span.to) & 1 ? spread : -spread);
  const high = Math.max(open, close, Math.exp(extreme(first, last, sd, scramble(draw + 1), 1)) + spread);
  const low = Math.min(open, close, Math.exp(extreme(first, last, sd, scramble(draw + 2), -1)) - spread);
  const price = (value: number): number => Math.max(1, Math.round(value * tickScale)) / tickScale;

  const trades = units * instrument.quotesPerUnit * TRADES_PER_QUOTE;
  const mean = trades * instrument.tradeSteps * sizeFactor(liveliness) * PRESSURE_MEAN;
  const steps = Math.max(1, Math.round(mean * Math.exp(0.25 * gaussian(draw + 3))));
  const move = sd > 0 ? (last - first) / sd : 0;
  const bought = Math.max(0.1, Math.min(0.9, 0.5 + 0.08 * move + 0.05 * gaussian(draw + 4)));
  const askSteps = Math.round(steps * bought);
  return {
    time: asEpochMs(span.time),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: roundSize(steps / sizeScale),
    bidVolume: roundSize((steps - askSteps) / sizeScale),
    askVolume: roundSize(askSteps / sizeScale),
    basis: 'trade',
  };
}

/** The highest (sign 1) or lowest (−1) point of a Brownian bridge between two values, `sd` being that of the free path. */
function extreme(first: number, last: number, sd: number, word: number, sign: 1 | -1): number {
  const gap = last - first;
  const logarithm = Math.log(Math.max(uniform(word), 1e-9));
  return (first + last + sign * Math.sqrt(gap * gap - 2 * sd * sd * logarithm)) / 2;
}
