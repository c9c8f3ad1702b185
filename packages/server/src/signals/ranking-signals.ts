// Signals as the ranking sees them, read from the records of the log. The only place that knows which fields of a record the
// ranking needs.
import { type ClosedRecord, type PublishedRecord, profitOf, roundedRatio } from '@tickwire/contract';
import { asEpochMs, asSymbol, type EpochMs, type Mark, type RankingSignal, toTicks } from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';

/** For ranking, the risk is at least this many spreads of the accepted quote. */
const MIN_RISK_SPREADS = 10;

export type MarketPrices = Pick<MarketView, 'tick' | 'recent' | 'time'>;

/** A fill as it is known for a signal that is not closed. */
export interface KnownFill {
  readonly at: EpochMs;
  /** Ticks. */
  readonly price: number;
  /** `null` if the accepted quote filled it. */
  readonly source: string | null;
}

export interface Closing {
  readonly n: number;
  readonly record: ClosedRecord;
  readonly filledAt: EpochMs | null;
}

/** The fill of a market order, which the publishing record states. */
export function fillAtPublication({ entry_price, at, instrument }: PublishedRecord): KnownFill | null {
  if (entry_price === undefined) return null;
  return { at: asEpochMs(Date.parse(at)), price: toTicks(entry_price, instrument.digits), source: null };
}

export function rankingSignal(
  published: PublishedRecord,
  fill: KnownFill | null,
  closing: Closing | null = null,
): RankingSignal {
  const { digits } = published.instrument;
  const [entry, stop, target] = [published.entry, published.stop_loss, published.take_profit].map((price) =>
    toTicks(price, digits),
  ) as [number, number, number];
  const closed = closing?.record;
  const sources = {
    accepted: published.quote.source,
    filled: closed?.filled?.source ?? fill?.source ?? null,
    decided: closed?.decided.source ?? null,
  };
  const own = `push:${published.publisher}`;
  const isPending = published.order !== 'market';
  return {
    id: published.signal,
    publishedN: published.n,
    rules: published.rules,
    symbol: asSymbol(published.symbol),
    direction: published.direction,
    order: published.order,
    publishedAt: asEpochMs(Date.parse(published.at)),
    filledAt: closing ? closing.filledAt : (fill?.at ?? null),
    closedN: closing?.n ?? null,
    closedAt: closed ? asEpochMs(Date.parse(closed.closed_at)) : null,
    reason: closed?.reason ?? null,
    pnlR: closed?.pnl_r ?? null,
    rankR: closed ? rankRecordOf(published, closed) : null,
    sources,
    gap: closed?.gap_from !== undefined,
    selfSourced: closed?.self_sourced === true || Object.values(sources).includes(own),
    withdrawn: isPending && closed?.reason === 'unfilled' && closed.closed_at < published.entry_deadline,
    plannedRisk: Math.abs(entry - stop),
    plannedReward: Math.abs(target - entry),
    voided: (closed?.reason as string | undefined) === 'voided',
  };
}

/** `rank_r` of a closing: as recorded, otherwise from the prices. */
export function rankRecordOf(published: PublishedRecord, closed: ClosedRecord): number {
  const { rank_r: recorded } = closed as { readonly rank_r?: number };
  if (recorded !== undefined) return recorded;
  if (closed.entry_price === null || closed.exit_price === null) return 0;
  const { digits } = published.instrument;
  return rankR(published, toTicks(closed.entry_price, digits), toTicks(closed.exit_price, digits));
}

/** Result / the greater of the published risk and ten spreads, four decimals. Prices in ticks. */
function rankR(published: PublishedRecord, fillPrice: number, exitPrice: number): number {
  const { digits } = published.instrument;
  const ticks = (price: number): number => toTicks(price, digits);
  const entry = ticks(published.entry);
  const spread = ticks(published.quote.ask) - ticks(published.quote.bid);
  const risk = Math.max(Math.abs(entry - ticks(published.stop_loss)), MIN_RISK_SPREADS * spread);
  const gain =
    published.direction === 'buy' ? exitPrice - Math.max(entry, fillPrice) : Math.min(entry, fillPrice) - exitPrice;
  return roundedRatio(BigInt(gain), BigInt(risk));
}

/** An active signal, with what its valuation needs. */
export class ActiveSignalEntry {
  readonly published: PublishedRecord;
  fill: KnownFill | null;
  /** Lowest R by the minute bars that begin before `#barsUntil`. */
  #worstR: number | null = null;
  #barsUntil = 0;

  constructor(published: PublishedRecord, fill: KnownFill | null) {
    this.published = published;
    this.fill = fill;
  }

  /** Valuation at the exit side of the standing price; `null` while it is pending or there is no price. */
  mark(market: MarketPrices): Mark | null {
    const { published, fill } = this;
    const tick = market.tick(asSymbol(published.symbol));
    if (!fill || !tick) return null;
    const exit = toTicks(published.direction === 'buy' ? tick.bid : tick.ask, published.instrument.digits);
    const pnlR = this.#pnlR(fill, exit);
    this.#readBars(market, fill, tick.ask - tick.bid);
    return { pnlR, rankR: rankR(published, fill.price, exit), worstR: Math.min(pnlR, this.#worstR ?? pnlR) };
  }

  #pnlR({ price }: KnownFill, exitPrice: number): number {
    const { direction, entry, stop_loss, instrument } = this.published;
    const { digits, pip_size: pipSize } = instrument;
    const [entryTicks, stopLoss] = [toTicks(entry, digits), toTicks(stop_loss, digits)];
    return profitOf({ direction, entry: entryTicks, stopLoss, entryPrice: price, exitPrice, digits, pipSize }).pnl_r;
  }

  /** Bars hold bids. The minute of the fill is left out, because it also holds prices before the fill. */
  #readBars(market: MarketPrices, fill: KnownFill, spread: number): void {
    const { symbol, direction, instrument } = this.published;
    const from = Math.max(this.#barsUntil, fill.at);
    const last = market.tick(asSymbol(symbol))!.time;
    // A forming bar changes until its minute is over, so a bar counts once the next one has begun.
    if (last < from + 60_000) return;
    const bars = market.recent(asSymbol(symbol), '1m', from, last - 60_000);
    this.#barsUntil = last - 60_000 + 1;
    for (const { high, low } of bars) {
      const exit = toTicks(direction === 'buy' ? low : high + spread, instrument.digits);
      const r = this.#pnlR(fill, exit);
      this.#worstR = this.#worstR === null ? r : Math.min(this.#worstR, r);
    }
  }
}
