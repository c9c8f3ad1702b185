// Bars of the past for a new simulated market: at least 520 closed ones of each timeframe, so that history is complete from
// the start.
//
// Opens and closes are values of the path, so the last bar joins the first live tick. Highs and lows are generated from the
// distribution of a Brownian bridge between them; generating the ticks would take seconds even for the minutes. Volumes are
// the average sum of the ticks of that time. A longer bar is the aggregate of shorter ones as far back as those reach.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type Bar, type EpochMs, type HoursName, type InstrumentSpec, roundSize } from '@tickwire/engine';
import { drawBar } from './bar-draw.ts';
import { type BarSpan, planBars, planMinutes, type Region } from './bar-plan.ts';
import { type InstrumentModel, type MarketModel, Paths } from './model.ts';
import type { SimMarket } from './sim-market.ts';
import { fromTickBar, toTickBar } from './tick-bar.ts';
import { UNIT_MS } from './time-grid.ts';

export interface SimBars {
  readonly symbol: InstrumentSpec['symbol'];
  readonly timeframe: Timeframe;
  /** Ascending. */
  readonly bars: Bar[];
}

/** Closed bars that end at or before `until`, the start of a minute; one instrument after the other. */
export function* simHistory(market: SimMarket, until: EpochMs): Generator<SimBars, void, undefined> {
  const paths = new Paths(market.model.factors);
  for (const [hours, members] of byHours(market)) {
    const regions = planBars(hours, until);
    const samples = sampleFactors(paths, members, regions);
    for (const instrument of members) {
      const symbol = instrument.spec.symbol;
      let shorter: readonly Bar[] = [];
      for (const [place, region] of regions.entries()) {
        const generated = region.generated.map((span, at) =>
          generateBar(market.model, instrument, span, samples[place]!, at),
        );
        const bars = [...generated, ...aggregateBars(shorter, TIMEFRAME_MS[region.timeframe], until)];
        yield { symbol, timeframe: region.timeframe, bars };
        shorter = bars;
      }
    }
  }
}

/** The complete minutes of a period, one instrument after the other: the same bars as in the history. */
export function* simMinutes(market: SimMarket, from: EpochMs, to: EpochMs): Generator<SimBars, void, undefined> {
  const paths = new Paths(market.model.factors);
  for (const [hours, members] of byHours(market)) {
    const region = planMinutes(hours, from, to);
    const [samples] = sampleFactors(paths, members, [region]);
    for (const instrument of members) {
      const bars = region.generated.map((span, at) => generateBar(market.model, instrument, span, samples!, at));
      yield { symbol: instrument.spec.symbol, timeframe: region.timeframe, bars };
    }
  }
}

/** Instruments with the same trading hours have the same bars. */
function byHours({ model, options }: SimMarket): Map<HoursName, InstrumentModel[]> {
  const groups = new Map<HoursName, InstrumentModel[]>();
  for (const instrument of model.instruments) {
    const hours = options.hours === 'always' ? 'always' : instrument.spec.hours;
    groups.set(hours, [...(groups.get(hours) ?? []), instrument]);
  }
  return groups;
}

/** Values of each factor at the start and the end of each generated bar of a region. */
type Samples = ReadonlyMap<number, { readonly from: Float64Array; readonly to: Float64Array }>;

/** Reads each factor once, in the order of time, for all instruments that use it. */
function sampleFactors(paths: Paths, members: readonly InstrumentModel[], regions: readonly Region[]): Samples[] {
  const used = new Set(members.flatMap((instrument) => instrument.factors));
  return regions.map(({ generated }) => {
    const samples = new Map<number, { from: Float64Array; to: Float64Array }>();
    for (const factor of used) {
      const path = paths.factors[factor]!;
      const from = new Float64Array(generated.length);
      const to = new Float64Array(generated.length);
      for (let at = 0; at < generated.length; at++) {
        from[at] = path.at(generated[at]!.from / UNIT_MS);
        to[at] = path.at(generated[at]!.to / UNIT_MS);
      }
      samples.set(factor, { from, to });
    }
    return samples;
  });
}

function generateBar(
  model: MarketModel,
  instrument: InstrumentModel,
  span: BarSpan,
  samples: Samples,
  at: number,
): Bar {
  const { logBase, factors, weights } = instrument;
  let first = logBase;
  let last = logBase;
  for (let place = 0; place < weights.length; place++) {
    const factor = samples.get(factors[place]!)!;
    first += weights[place]! * factor.from[at]!;
    last += weights[place]! * factor.to[at]!;
  }
  return fromTickBar(instrument, span.time, toTickBar(instrument, drawBar(model, instrument, span, first, last)));
}

/** Longer bars from shorter ones. `length` in milliseconds. A bar that ends after `until` is left out. */
function aggregateBars(shorter: readonly Bar[], length: number, until: number): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at < shorter.length; ) {
    const first = shorter[at]!;
    const start = first.time - (first.time % length);
    if (start + length > until) break;
    let { high, low, close, volume, bidVolume, askVolume } = first;
    for (at++; at < shorter.length && shorter[at]!.time < start + length; at++) {
      const bar = shorter[at]!;
      high = Math.max(high, bar.high);
      low = Math.min(low, bar.low);
      close = bar.close;
      volume += bar.volume;
      bidVolume += bar.bidVolume;
      askVolume += bar.askVolume;
    }
    bars.push({
      time: asEpochMs(start),
      open: first.open,
      high,
      low,
      close,
      volume: roundSize(volume),
      bidVolume: roundSize(bidVolume),
      askVolume: roundSize(askVolume),
      basis: 'trade',
    });
  }
  return bars;
}
