// Signals as the ranking sees them, read from the records of the log. The only place that knows which fields of a record the
// ranking needs.
import {
  type ClosedRecord,
  type ExitPart,
  type ProfitInput,
  type PublishedRecord,
  profitInR,
  type RulesVersion,
  rankingR,
  WHOLE,
} from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type EpochMs,
  type IsTrusted,
  type Mark,
  type RankingSignal,
  toTicks,
} from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';

export type MarketPrices = Pick<MarketView, 'tick' | 'quoteSource' | 'recent' | 'time'>;

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
  readonly at: EpochMs;
  /** `null` if it was voided while it was active. */
  readonly record: ClosedRecord | null;
  readonly filledAt: EpochMs | null;
  readonly rankR: number | null;
  /** Sources of its partial exits. */
  readonly exitSources: readonly string[];
}

/** Rules version 1: the publishing record states the fill of a market entry. */
export function fillAtPublication({ entry_price, at, instrument }: PublishedRecord): KnownFill | null {
  if (entry_price === undefined) return null;
  return { at: asEpochMs(Date.parse(at)), price: toTicks(entry_price, instrument.digits), source: null };
}

export function rankingSignal(
  published: PublishedRecord,
  fill: KnownFill | null,
  closing: Closing | null = null,
  /** Sources of the exits at targets. */
  exits: readonly string[] = closing?.exitSources ?? [],
): RankingSignal {
  const { digits } = published.instrument;
  const [entry, stop, target] = [published.entry, published.stop_loss, published.take_profit].map((price) =>
    toTicks(price, digits),
  ) as [number, number, number];
  const closed = closing?.record ?? null;
  const sources = {
    accepted: published.quote.source,
    filled: closed?.filled?.source ?? fill?.source ?? null,
    decided: closed?.decided.source ?? null,
    exits,
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
    closedAt: closing?.at ?? null,
    reason: closing ? (closed?.reason ?? 'voided') : null,
    pnlR: closing ? (closed?.pnl_r ?? 0) : null,
    rankR: closing ? (closing.rankR ?? 0) : null,
    sources,
    gap: closed?.gap_from !== undefined,
    acceptedOwn: sources.accepted === own,
    selfSourced: closed?.self_sourced === true || [...Object.values(sources), ...exits].includes(own),
    withdrawn: isPending && closed?.reason === 'unfilled' && closed.closed_at < published.entry_deadline,
    plannedRisk: Math.abs(entry - stop),
    plannedReward: Math.abs(target - entry),
    voided: closing !== null && closed === null,
  };
}

/** An active signal, with what its valuation needs. */
export class ActiveSignalEntry {
  readonly published: PublishedRecord;
  fill: KnownFill | null;
  /** Parts of the position that exited at targets, in ticks. */
  readonly exits: ExitPart[] = [];
  /** Sources of the prices at which they exited. */
  readonly exitSources: string[] = [];
  /** Lowest R by the minute bars that begin before `#barsUntil`. */
  #worstR: number | null = null;
  #barsUntil = 0;

  constructor(published: PublishedRecord, fill: KnownFill | null) {
    this.published = published;
    this.fill = fill;
  }

  /** Valuation at the exit side of the standing price; `null` while it is pending or there is no price. */
  mark(market: MarketPrices, isTrusted: IsTrusted): Mark | null {
    const { published, fill } = this;
    const tick = market.tick(asSymbol(published.symbol));
    if (!fill || !tick) return null;
    const exit = toTicks(published.direction === 'buy' ? tick.bid : tick.ask, published.instrument.digits);
    const input = this.#profitInput(fill, exit);
    const spread = this.#ticks(published.quote.ask) - this.#ticks(published.quote.bid);
    const pnlR = profitInR(input);
    this.#readBars(market, fill, tick.ask - tick.bid);
    const source = market.quoteSource(tick.symbol);
    return {
      pnlR,
      rankR: rankingR(input, spread),
      worstR: Math.min(pnlR, this.#worstR ?? pnlR),
      isTrusted: isTrusted(source) && source !== `push:${published.publisher}`,
    };
  }

  /** As if everything that is still open exited at `exit`, in ticks. */
  #profitInput({ price }: KnownFill, exit: number): ProfitInput {
    const { rules, direction, entry, stop_loss, instrument } = this.published;
    const rest = this.exits.reduce((left, { fraction }) => left - fraction, WHOLE);
    return {
      rules: rules as RulesVersion,
      direction,
      entry: this.#ticks(entry),
      stopLoss: this.#ticks(stop_loss),
      entryPrice: price,
      exits: [...this.exits, { fraction: rest, price: exit }],
      digits: instrument.digits,
      pipSize: instrument.pip_size,
    };
  }

  #ticks(price: number): number {
    return toTicks(price, this.published.instrument.digits);
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
      const r = profitInR(this.#profitInput(fill, exit));
      this.#worstR = this.#worstR === null ? r : Math.min(this.#worstR, r);
    }
  }
}
