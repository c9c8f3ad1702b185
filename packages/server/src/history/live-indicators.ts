// The indicators that follow the market for streams. Each indicator of a symbol and a timeframe is computed once, whatever the
// number of its readers: a closed bar is added once, the forming bar is computed at most once per batch of events and only if
// someone reads it.
import type { IndicatorSpec, Timeframe } from '@tickwire/contract';
import type { Bar, BarEvent, MarketSymbol } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { ReadWork } from '../http/read-work.ts';
import { type IndicatorReaderAccount, IndicatorShares } from './indicator-shares.ts';
import { LiveIndicator } from './live-indicator.ts';
import type { BarSources } from './recorded-history.ts';
import { barsBefore } from './warm-up.ts';

/** Indicators of all symbols and timeframes in this process. */
export const MAX_LIVE_INDICATORS = 5_000;
const NO_ACCOUNT: IndicatorReaderAccount = { publicId: '', tierName: '' };

/** Values of some indicators of one symbol and timeframe, kept up to date until it is released. */
export interface LiveIndicatorSet {
  /** Texts of the indicators, in the order of the request. */
  readonly names: readonly string[];
  /** JSON with the values if the forming bar closed now. */
  forming(bar: Bar): string;
  /** JSON with the values at a closed bar. */
  closed(bar: Bar): string;
  /** A stream of an account that has loaded them begins to read them (1), or no longer does (-1). */
  countReader(account: IndicatorReaderAccount, change: 1 | -1): void;
  release(): void;
}

/** What waits for the history of indicators, such as a subscriber. */
export interface IndicatorReader {
  readonly caller: { readonly account: IndicatorReaderAccount } | null;
  /** It has gone. */
  readonly closed: boolean;
}

/** The indicators of a symbol and a timeframe. */
interface Group {
  readonly key: string;
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly byText: Map<string, LiveIndicator>;
}

export class LiveIndicators {
  readonly #sources: BarSources;
  readonly #reads: Pick<ReadWork, 'queue'>;
  readonly #groups = new Map<string, Group>();
  readonly #shares: IndicatorShares;
  readonly #total: number;
  /** Rises with each batch of events, which may have changed forming bars. */
  #version = 0;

  constructor(
    sources: BarSources,
    reads: Pick<ReadWork, 'queue'>,
    tiers: ConstructorParameters<typeof IndicatorShares>[1],
    total = MAX_LIVE_INDICATORS,
  ) {
    this.#sources = sources;
    this.#reads = reads;
    this.#shares = new IndicatorShares(total, tiers);
    this.#total = total;
  }

  /** Number of indicators that are computed. */
  get size(): number {
    let size = 0;
    for (const { byText } of this.#groups.values()) size += byText.size;
    return size;
  }

  /** Bars that are read, about, for those of these indicators that nobody uses yet. */
  rowsOf(symbol: MarketSymbol, timeframe: Timeframe, specs: readonly IndicatorSpec[]): number {
    const known = this.#groups.get(keyOf(symbol, timeframe))?.byText;
    return specs.reduce((sum, spec) => sum + (known?.has(spec.text) ? 0 : barsBefore(spec)), 0);
  }

  /**
   * Loads the history of indicators, so that `open` finds them. Returns what keeps them until then, and how many bars were read
   * for those that nobody used before. Throws a `ServiceError` if one is not available for the symbol, or if there are too many,
   * and `Abandoned` if all that wait for one have gone.
   */
  async load(
    symbol: MarketSymbol,
    timeframe: Timeframe,
    specs: readonly IndicatorSpec[],
    reader: IndicatorReader,
  ): Promise<{ readonly rows: number; release(): void }> {
    const group = this.#group(symbol, timeframe);
    const account = reader.caller?.account ?? NO_ACCOUNT;
    const taken: IndicatorSpec[] = [];
    const release = (): void => {
      for (const spec of taken) this.#shares.release(idOf(group, spec), account);
      this.#release(group, taken.splice(0));
    };
    const held: LiveIndicator[] = [];
    try {
      for (const spec of specs) {
        this.#take(group, spec, account);
        held.push(this.#hold(group, spec));
        taken.push(spec);
      }
      for (const indicator of held) indicator.waiting.add(reader);
      const added = held.filter(({ users }) => users === 1);
      for (const indicator of held) await indicator.loaded(reader);
      return { rows: added.reduce((sum, { rows }) => sum + rows, 0), release };
    } catch (error) {
      for (const { waiting } of held) waiting.delete(reader);
      release();
      throw error;
    }
  }

  /** Indicators that were loaded. */
  open(symbol: MarketSymbol, timeframe: Timeframe, specs: readonly IndicatorSpec[]): LiveIndicatorSet {
    const group = this.#group(symbol, timeframe);
    const held = specs.map((spec) => {
      if (!group.byText.has(spec.text)) throw new Error(`the indicator ${spec.text} was not loaded`);
      return this.#hold(group, spec);
    });
    const unreleased = [...specs];
    return {
      names: specs.map(({ text }) => text),
      forming: (bar) => objectOf(held, (indicator) => indicator.forming(bar, this.#version)),
      closed: (bar) => objectOf(held, (indicator) => indicator.closed(bar)),
      countReader: (account, change) => {
        for (const spec of specs) {
          if (change > 0) this.#take(group, spec, account);
          else this.#shares.release(idOf(group, spec), account);
        }
      },
      release: () => this.#release(group, unreleased.splice(0)),
    };
  }

  /** Forming bars may have changed. */
  startBatch(): void {
    this.#version++;
  }

  /** A bar has closed, or a closed bar has changed. */
  close({ symbol, timeframe, bar }: BarEvent): void {
    const group = this.#groups.get(keyOf(symbol, timeframe));
    if (group) for (const indicator of group.byText.values()) indicator.close(bar);
  }

  /** Events were lost, or bars of the past have changed: reads histories again, by default all. */
  reload(symbol?: MarketSymbol): void {
    for (const group of this.#groups.values())
      if (symbol === undefined || group.symbol === symbol)
        for (const indicator of group.byText.values()) indicator.reload();
  }

  #group(symbol: MarketSymbol, timeframe: Timeframe): Group {
    const key = keyOf(symbol, timeframe);
    const group = this.#groups.get(key) ?? { key, symbol, timeframe, byText: new Map() };
    this.#groups.set(key, group);
    return group;
  }

  /** Counts an indicator for an account. */
  #take(group: Group, spec: IndicatorSpec, account: IndicatorReaderAccount): void {
    if (this.#shares.take(idOf(group, spec), account)) return;
    throw new ServiceError(
      'subscription_limit',
      `The service computes ${this.#total} indicators at most, and your account has its share of them.`,
    );
  }

  #hold(group: Group, spec: IndicatorSpec): LiveIndicator {
    const { symbol, timeframe, byText } = group;
    let indicator = byText.get(spec.text);
    if (!indicator) {
      const id = idOf(group, spec);
      indicator = new LiveIndicator({
        ...{ sources: this.#sources, symbol, timeframe, spec },
        readInTurns: (signal, work) => this.#reads.queue(this.#shares.readerOf(id), signal, work),
      });
      byText.set(spec.text, indicator);
    }
    indicator.users++;
    return indicator;
  }

  #release({ key, byText }: Group, specs: readonly IndicatorSpec[]): void {
    for (const { text } of specs) {
      const indicator = byText.get(text)!;
      if (--indicator.users > 0) continue;
      indicator.stop();
      byText.delete(text);
    }
    if (byText.size === 0) this.#groups.delete(key);
  }
}

/** Identifies an indicator among all. */
const idOf = ({ key }: Group, { text }: IndicatorSpec): string => `${key} ${text}`;

const keyOf = (symbol: MarketSymbol, timeframe: Timeframe): string => `${timeframe} ${symbol}`;

function objectOf(held: readonly LiveIndicator[], text: (indicator: LiveIndicator) => string): string {
  let json = '{';
  for (let at = 0; at < held.length; at++) json += (at > 0 ? ',' : '') + text(held[at]!);
  return `${json}}`;
}
