// Warnings on a track record, W1 to W8 of docs/reference/signals.md, "Track records". They describe how the
// results came about and do not change the ranking.
import { plural, type WARNING_CODES } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import { MINUTE_MS } from '../market/time.ts';
import type { RankingSignal } from './ranking-signal.ts';

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number];
  /** One sentence. */
  readonly text: string;
}

/** Shares are reported from this number of signals on. */
const MIN_SIGNALS = 10;
const FAR_STOP_RATIO = 3;
const MAX_OPEN = 20;
const MAX_OPEN_LOSS_R = 10;

/** The open signals as of now. */
export interface OpenSignals {
  readonly count: number;
  /** Sum of the negative marks, as a positive number. */
  readonly lossR: number;
}

export class WarningCounts {
  #signals = 0;
  #farStops = 0;
  #pendingOrders = 0;
  #withdrawn = 0;
  #filled = 0;
  #manual = 0;
  #short = 0;
  #copies = 0;
  readonly #symbols = new Set<MarketSymbol>();
  /** Ids, because the prices of a signal are seen at its publication, its fill and its closing. */
  readonly #untrusted = new Set<string>();

  publish(signal: RankingSignal, isCopy: boolean): void {
    this.#signals++;
    if (isCopy) this.#copies++;
    this.#symbols.add(signal.symbol);
    if (signal.plannedRisk > FAR_STOP_RATIO * signal.plannedReward) this.#farStops++;
    if (signal.order !== 'market') this.#pendingOrders++;
  }

  close({ withdrawn, filledAt, closedAt, reason }: RankingSignal): void {
    if (withdrawn) this.#withdrawn++;
    if (filledAt === null) return;
    this.#filled++;
    if (reason === 'manual') this.#manual++;
    if (closedAt! - filledAt < MINUTE_MS) this.#short++;
  }

  /** Call it for every signal with a price from an untrusted source, as often as it is seen. */
  addUntrusted({ id }: RankingSignal): void {
    this.#untrusted.add(id);
  }

  warnings(open: OpenSignals): Warning[] {
    const found: Warning[] = [];
    const warn = (code: Warning['code'], applies: boolean, text: () => string): void => {
      if (applies) found.push({ code, text: text() });
    };
    const most = (part: number, whole: number): boolean => whole >= MIN_SIGNALS && part * 2 > whole;
    warn(
      'far_stops',
      this.#farStops * 2 > this.#signals,
      () => `Most signals risk more than ${FAR_STOP_RATIO} times what they aim for.`,
    );
    warn(
      'closed_by_hand',
      most(this.#manual, this.#filled),
      () => `${this.#manual} of ${this.#filled} filled signals were closed by hand.`,
    );
    warn(
      'withdrawn',
      most(this.#withdrawn, this.#pendingOrders),
      () => `${this.#withdrawn} of ${this.#pendingOrders} pending orders were withdrawn.`,
    );
    warn(
      'short_holding',
      most(this.#short, this.#filled),
      () => `${this.#short} of ${this.#filled} filled signals were held for less than a minute.`,
    );
    warn(
      'one_symbol',
      this.#signals >= MIN_SIGNALS && this.#symbols.size === 1,
      () => `All signals are on ${[...this.#symbols][0]}.`,
    );
    warn(
      'untrusted_prices',
      this.#untrusted.size > 0,
      () => `Prices from untrusted sources decided ${plural(this.#untrusted.size, 'signal')}.`,
    );
    warn(
      'many_open',
      open.count > MAX_OPEN || open.lossR > MAX_OPEN_LOSS_R,
      () => `${open.count} signals are open, with an open loss of ${open.lossR.toFixed(2)} R.`,
    );
    warn(
      'copied',
      most(this.#copies, this.#signals),
      () => `${this.#copies} of ${this.#signals} signals repeat one that another publisher had just published.`,
    );
    return found;
  }
}
