// Signals as the ranking sees them, read from the records of the log. The only place that knows which fields of a record the
// ranking needs.
import {
  type ClosedRecord,
  type ExitedRecord,
  type ExitPart,
  type FilledRecord,
  type ProfitInput,
  type PublishedRecord,
  profitInR,
  rankingR,
  type VoidedRecord,
  WHOLE,
} from '@tickwire/contract';
import {
  asSymbol,
  type EpochMs,
  type IsTrusted,
  MAX_R,
  type Mark,
  type RankingSignal,
  toTicks,
} from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';
import { epoch, type UnchainedRecord } from './log-records.ts';

export type MarketPrices = Pick<MarketView, 'tick' | 'quoteSource' | 'recent' | 'time'>;

interface KnownFill {
  readonly at: EpochMs;
  /** Ticks. */
  readonly price: number;
  readonly source: string;
}

/** R for ranking if every target is reached, at most 10. */
function maxROf(published: PublishedRecord): number {
  const { direction, entry, stop_loss, take_profit, targets, quote, instrument } = published;
  const ticks = (price: number): number => toTicks(price, instrument.digits);
  const exits = (targets ?? [{ price: take_profit, fraction: 1 }]).map(({ price, fraction }) => ({
    fraction: Math.round(fraction * WHOLE),
    price: ticks(price),
  }));
  const levels = { direction, entry: ticks(entry), entryPrice: ticks(entry), stopLoss: ticks(stop_loss) };
  const input = { ...levels, exits, digits: instrument.digits, pipSize: instrument.pip_size };
  return Math.min(rankingR(input, ticks(quote.ask) - ticks(quote.bid)), MAX_R);
}

/** A signal until it closes, with what its valuation needs. */
export class ActiveSignalEntry {
  readonly published: PublishedRecord;
  readonly #maxR: number;
  #fill: KnownFill | null = null;
  /** Parts of the position that exited at targets, in ticks. */
  readonly #exits: ExitPart[] = [];
  /** Sources of the prices at which they exited. */
  readonly #exitSources: string[] = [];
  /** Lowest R by the minute bars that begin before `#barsUntil`. */
  #worstR: number | null = null;
  #barsUntil = 0;

  constructor(published: PublishedRecord) {
    this.published = published;
    this.#maxR = maxROf(published);
  }

  get isFilled(): boolean {
    return this.#fill !== null;
  }

  fill({ entry_price, filled_at, filled }: UnchainedRecord<FilledRecord>): void {
    this.#fill = { price: this.#ticks(entry_price), at: epoch(filled_at), source: filled.source };
  }

  exit({ fraction, price, decided }: UnchainedRecord<ExitedRecord>): void {
    this.#exits.push({ fraction: Math.round(fraction * WHOLE), price: this.#ticks(price) });
    this.#exitSources.push(decided.source);
  }

  /** As the ranking sees it; with `ending`, once that has closed or voided it. */
  toRankingSignal(ending: ClosedRecord | VoidedRecord | null = null): RankingSignal {
    const { published } = this;
    const closed = ending?.type === 'closed' ? ending : null;
    const [entry, stop, target] = [published.entry, published.stop_loss, published.take_profit].map((price) =>
      this.#ticks(price),
    ) as [number, number, number];
    const sources = {
      accepted: published.quote.source,
      filled: this.#fill?.source ?? null,
      decided: closed?.decided.source ?? null,
      exits: this.#exitSources,
    };
    const own = `push:${published.publisher}`;
    const isPending = published.order !== 'market';
    return {
      id: published.signal,
      publishedN: published.n,
      symbol: asSymbol(published.symbol),
      direction: published.direction,
      order: published.order,
      publishedAt: epoch(published.at),
      filledAt: this.#fill?.at ?? null,
      closedN: ending?.n ?? null,
      closingAt: ending && epoch(ending.at),
      closedAt: ending && epoch(closed?.closed_at ?? ending.at),
      reason: ending && (closed?.reason ?? 'voided'),
      pnlR: ending && (closed?.pnl_r ?? 0),
      rankR: ending && (closed ? this.#rankR(closed) : 0),
      sources,
      gap: closed?.gap_from !== undefined,
      acceptedOwn: sources.accepted === own,
      selfSourced: closed?.self_sourced === true || [...Object.values(sources), ...sources.exits].includes(own),
      withdrawn: isPending && closed?.reason === 'unfilled' && closed.closed_at < published.entry_deadline,
      maxR: this.#maxR,
      entry,
      plannedRisk: Math.abs(entry - stop),
      plannedReward: Math.abs(target - entry),
      voided: ending?.type === 'voided',
    };
  }

  /** Valuation at the exit side of the standing price; `null` while it is pending or there is no price. */
  mark(market: MarketPrices, isTrusted: IsTrusted): Mark | null {
    const published = this.published;
    const fill = this.#fill;
    const tick = market.tick(asSymbol(published.symbol));
    if (!fill || !tick) return null;
    const exit = toTicks(published.direction === 'buy' ? tick.bid : tick.ask, published.instrument.digits);
    const input = this.#profitInput(fill, exit);
    const pnlR = profitInR(input);
    this.#readBars(market, fill, tick.ask - tick.bid);
    const source = market.quoteSource(tick.symbol);
    return {
      pnlR,
      rankR: rankingR(input, this.#spread),
      worstR: Math.min(pnlR, this.#worstR ?? pnlR),
      isTrusted: isTrusted(source) && source !== `push:${published.publisher}`,
    };
  }

  /** R for ranking of a closing. */
  #rankR({ last_exit, pnl_r }: ClosedRecord): number {
    if (!this.#fill || !last_exit) return pnl_r;
    return rankingR(this.#profitInput(this.#fill, this.#ticks(last_exit.price)), this.#spread);
  }

  /** Of the accepted quote, in ticks. */
  get #spread(): number {
    const { ask, bid } = this.published.quote;
    return this.#ticks(ask) - this.#ticks(bid);
  }

  /** As if everything that is still open exited at `exit`, in ticks. */
  #profitInput({ price }: KnownFill, exit: number): ProfitInput {
    const { direction, entry, stop_loss, instrument } = this.published;
    const rest = this.#exits.reduce((left, { fraction }) => left - fraction, WHOLE);
    return {
      direction,
      entry: this.#ticks(entry),
      stopLoss: this.#ticks(stop_loss),
      entryPrice: price,
      exits: [...this.#exits, { fraction: rest, price: exit }],
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
