// Parameters of the calls for indicators.
import type { BarsOptions } from './history-options.ts';

/**
 * Which bars to return values for.
 * @example await client.indicators('EURUSD', 'rsi(14)', { interval: '5m', from: '2026-01-01', limit: 1_000 });
 */
export interface IndicatorsOptions extends BarsOptions {
  /** Maximum number of bars, up to 10,000. Default 100. */
  readonly limit?: number;
}
