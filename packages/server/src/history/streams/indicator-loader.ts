// Loads the history of the indicators of a subscription. The bars that are read count against the rows of the account.
import { type ErrorCode, IndicatorFault, type IndicatorSpec, parseIndicator, type Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { RowAllowance } from '../../access/row-allowance.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { withStoreErrors } from '../../errors/store-error.ts';
import type { ReadWork } from '../../http/read-work.ts';
import { Abandoned } from '../../work/work-scheduler.ts';
import type { Subscribe } from '../../ws/channel.ts';
import type { Subscriber } from '../../ws/subscriber.ts';
import type { LiveIndicators } from '../live-indicators.ts';

export interface IndicatorLoaderOptions {
  readonly indicators: Pick<LiveIndicators, 'load' | 'rowsOf'>;
  readonly rows: RowAllowance;
  readonly reads: Pick<ReadWork, 'charge'>;
  readonly now: () => number;
}

/** Symbols for which the indicators could not be loaded. The others are held until they are released. */
export interface LoadedIndicators {
  readonly rejected: ReadonlyMap<MarketSymbol, ErrorCode>;
  readonly release: () => void;
}

export class IndicatorLoader {
  readonly #options: IndicatorLoaderOptions;

  constructor(options: IndicatorLoaderOptions) {
    this.#options = options;
  }

  async load(
    subscriber: Subscriber,
    timeframe: Timeframe,
    symbols: readonly MarketSymbol[],
    specs: readonly IndicatorSpec[],
    roomOfAccount: number,
  ): Promise<LoadedIndicators> {
    const held: { release(): void }[] = [];
    const release = (): void => {
      for (const each of held.splice(0)) each.release();
    };
    const rejected = new Map<MarketSymbol, ErrorCode>();
    // Those that are replaced make room.
    let room = roomOfAccount + indicatorsOf(subscriber, new Set(symbols.map((symbol) => `${timeframe} ${symbol}`)));
    try {
      for (const symbol of symbols) {
        if (subscriber.closed) break;
        room -= specs.length;
        if (room < 0) rejected.set(symbol, 'subscription_limit');
        else if ((await this.#takeRows(subscriber, 0)) === 0) rejected.set(symbol, 'export_rows_exhausted');
        else
          await this.#load(subscriber, timeframe, symbol, specs).then(
            async (loaded) => {
              held.push(loaded);
              await this.#takeRows(subscriber, loaded.rows);
            },
            (error) => rejected.set(symbol, codeOf(error)),
          );
      }
      return { rejected, release };
    } catch (error) {
      release();
      if (error instanceof Abandoned && subscriber.closed) return { rejected, release };
      throw error;
    }
  }

  async #load(
    subscriber: Subscriber,
    timeframe: Timeframe,
    symbol: MarketSymbol,
    specs: readonly IndicatorSpec[],
  ): Promise<{ readonly rows: number; release(): void }> {
    const { indicators, reads, now } = this.#options;
    reads.charge(subscriber.caller!, indicators.rowsOf(symbol, timeframe, specs), now());
    return withStoreErrors(() => indicators.load(symbol, timeframe, specs, subscriber));
  }

  /** Counts rows of the caller. More than are left take all that are left. Returns what is left. */
  async #takeRows({ caller }: Subscriber, rows: number): Promise<number> {
    if (!caller) return Number.POSITIVE_INFINITY;
    const { publicId, tier } = caller.account;
    const take = (count: number) =>
      this.#options.rows.take(publicId, tier.export_rows_per_day, count, this.#options.now());
    const { granted, remaining } = await take(rows);
    return granted ? remaining : (await take(remaining)).remaining;
  }
}

/** The indicators of a subscription, each once; a text that says what is wrong with them. */
export function parseSpecs({ indicators = [] }: Subscribe): readonly IndicatorSpec[] | string {
  try {
    const specs = new Map<string, IndicatorSpec>();
    for (const text of indicators) {
      const spec = parseIndicator(text);
      specs.set(spec.text, spec);
    }
    return [...specs.values()];
  } catch (error) {
    if (error instanceof IndicatorFault) return `indicators: ${error.message}.`;
    throw error;
  }
}

/** Indicators of a subscriber on some topics. */
function indicatorsOf({ subscriptions }: Subscriber, keys: ReadonlySet<string>): number {
  let count = 0;
  for (const { topic } of subscriptions) if (keys.has(topic.key)) count += topic.computed;
  return count;
}

/** Why a symbol is rejected. An error that concerns the whole request is thrown again. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof ServiceError) || error.code === 'invalid_parameter') throw error;
  return error.code;
}
