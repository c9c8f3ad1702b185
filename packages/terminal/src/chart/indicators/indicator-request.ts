// One indicator of the feed, and the requests for its values.
import {
  type CoreClient,
  type IndicatorResult,
  type IndicatorText,
  type Interval,
  TickwireError,
} from '@tickwire/client';
import { IndicatorValues } from './indicator-values.ts';

/** An indicator with the values that are loaded so far. */
export class LoadedIndicator {
  readonly indicator: IndicatorText;
  /** As the service writes it. */
  text: string;
  values: IndicatorValues;
  /** Values are loaded from this time on; infinite if none are, minus infinite if there are no older ones. */
  from = Number.POSITIVE_INFINITY;
  loading = false;
  /** Why the instrument or interval has no such values; '' if it does. */
  problem = '';

  constructor(indicator: IndicatorText, lines: readonly string[]) {
    this.indicator = indicator;
    this.text = indicator;
    this.values = new IndicatorValues(lines);
  }

  /** Some values are loaded. */
  get usable(): boolean {
    return this.problem === '' && this.from < Number.POSITIVE_INFINITY;
  }

  /** Called for another instrument or interval. */
  reset(): void {
    this.values = new IndicatorValues(this.values.lines);
    this.from = Number.POSITIVE_INFINITY;
    this.loading = false;
    this.problem = '';
  }

  merge({ indicator, items, offsets }: IndicatorResult): void {
    this.text = indicator;
    this.values.offsets = offsets ?? {};
    this.values.merge(items);
  }
}

export interface IndicatorRequest {
  readonly client: Pick<CoreClient, 'indicators'>;
  readonly symbol: string;
  readonly range: { readonly limit: number; readonly interval: string; readonly to?: number };
  readonly signal: AbortSignal;
  /** An indicator turned out to have no values here. */
  readonly onProblem: () => void;
}

interface Answer {
  /** `null` if there are no older values. */
  readonly next: string | null;
  readonly result: IndicatorResult;
}

/** One request for all; if it is refused, one for each, so that an indicator without values does not take the others along. */
export async function requestIndicators(
  wanted: readonly LoadedIndicator[],
  { client, symbol, range, signal, onProblem }: IndicatorRequest,
): Promise<ReadonlyMap<LoadedIndicator, Answer>> {
  const results = new Map<LoadedIndicator, Answer>();
  const ask = async (asked: readonly LoadedIndicator[]): Promise<void> => {
    const names = asked.map(({ indicator }) => indicator);
    const { indicators, next } = await client.indicators(
      symbol,
      names,
      { ...range, interval: range.interval as Interval },
      { signal },
    );
    for (const [at, result] of indicators.entries()) results.set(asked[at]!, { next, result });
  };
  try {
    await ask(wanted);
  } catch (error) {
    if (!isRefusal(error) || signal.aborted) throw error;
    for (const each of wanted) {
      try {
        if (wanted.length === 1) throw error;
        await ask([each]);
      } catch (own) {
        if (!isRefusal(own) || signal.aborted) throw own;
        each.loading = false;
        each.problem = own.detail;
        onProblem();
      }
    }
  }
  return results;
}

/** The request itself is not possible: another one may be. */
const isRefusal = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && [400, 404, 409, 422].includes(error.status);
