// The day of each instrument and the line of its last 24 hours, from the bars in memory. What closed bars contribute is computed
// again only when one of them changes, or when the day or the quarter of an hour does.
import { iso, MAX_SPARKLINE, TIMEFRAME_MS } from '@tickwire/contract';
import { type Bar, DAY_MS, type InstrumentSpec, type MarketSymbol, roundTo } from '@tickwire/engine';
import type { MarketView } from './market-view.ts';

const TIMEFRAME = '15m';
const STEP_MS = TIMEFRAME_MS[TIMEFRAME];

interface Day {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

/** Valid while the closed bars have this version and no further step has begun. */
interface ClosedPart {
  readonly version: number;
  readonly step: number;
  readonly day: Day | null;
  /** JSON. */
  readonly sparkline: string;
}

/** The day so far, with one more bar. */
const extend = (day: Day | null, { open, high, low }: Bar): Day =>
  day ? { open: day.open, high: Math.max(day.high, high), low: Math.min(day.low, low) } : { open, high, low };

export class MarketOverview {
  readonly #market: MarketView;
  readonly #closed = new Map<string, ClosedPart>();

  constructor(market: MarketView) {
    this.#market = market;
  }

  /** JSON of an OverviewItem. `now`: market time in epoch milliseconds. */
  of({ symbol, digits }: InstrumentSpec, now: number): string {
    const midnight = now - (now % DAY_MS);
    const { day: before, sparkline } = this.#closedPart(symbol, now, midnight);
    const forming = this.#market.forming(symbol, TIMEFRAME);
    const day = forming && forming.time >= midnight ? extend(before, forming) : before;
    const { price: last, time } = this.#last(symbol, now);
    const change = day && last !== null ? last - day.open : null;
    const percent = change !== null && day!.open !== 0 ? roundTo((change / day!.open) * 100, 4) : null;
    return (
      `{"symbol":"${symbol}","time":${time === null ? null : `"${iso(time)}"`},` +
      `"day_open":${day?.open ?? null},"day_high":${day?.high ?? null},"day_low":${day?.low ?? null},"last":${last},` +
      `"change":${change === null ? null : roundTo(change, digits)},"change_percent":${percent},"sparkline":${sparkline}}`
    );
  }

  /** The newest price of the bars, and its time. Before the first bar: the bid. */
  #last(symbol: MarketSymbol, now: number): { readonly price: number | null; readonly time: number | null } {
    const tick = this.#market.tick(symbol);
    const bar = this.#market.latestBar(symbol, TIMEFRAME);
    if (!bar) return { price: tick?.bid ?? null, time: tick?.time ?? null };
    const end = bar.time + STEP_MS;
    const source = bar.basis === 'trade' ? this.#market.flow(symbol) : tick;
    // An imported bar has no ticks in memory.
    const known = source && source.time >= bar.time && source.time < end;
    return { price: bar.close, time: known ? source.time : Math.min(end, now) };
  }

  #closedPart(symbol: MarketSymbol, now: number, midnight: number): ClosedPart {
    const closed = this.#market.closedBars(symbol, TIMEFRAME);
    const { version } = closed;
    const step = Math.floor(now / STEP_MS);
    const known = this.#closed.get(symbol);
    if (known?.version === version && known.step === step) return known;
    const recent = closed.newest(2 * MAX_SPARKLINE);
    const day = recent.filter(({ time }) => time >= midnight).reduce<Day | null>(extend, null);
    // A bar of which the end has come may still be forming; it follows when it closes.
    const line = recent.filter(({ time }) => time + STEP_MS > now - DAY_MS && time + STEP_MS <= now);
    const part = {
      version,
      step,
      day,
      sparkline: JSON.stringify(line.slice(-MAX_SPARKLINE).map(({ close }) => close)),
    };
    this.#closed.set(symbol, part);
    return part;
  }
}
