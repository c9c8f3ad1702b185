// Parameters of the calls for market history.
import type { BarField, TickField, TickKind, Timeframe } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/**
 * Which bars to return.
 * @example await client.bars('XAUUSD', { interval: '90m', from: '2026-01-01', limit: 1_000 });
 */
export interface BarsOptions {
  /** Any number of minutes up to a day (`7m`, `90m`, `2h`), `1d`, `1w` or `1M` (a month). Default `1h`. */
  readonly interval?: string;
  /** When a day starts: `utc`, `ny` (17:00 in New York), or at midnight of an IANA zone. Default `utc`. */
  readonly align?: string;
  /** Start of the range: the oldest bars from there on. Default: the newest bars. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Maximum number of bars, up to 10,000. Default 500. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Further fields of each bar. Default: none. */
  readonly fields?: readonly BarField[];
}

/**
 * Which ticks to return.
 * @example await client.ticks('BTCUSD', { kind: 'trades', from: '2026-11-16T09:30:00Z', limit: 10_000 });
 */
export interface TicksOptions {
  /** Default `quotes`. */
  readonly kind?: TickKind;
  /** Start of the range: the oldest ticks from there on. Default: the newest ticks. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Maximum number of ticks, up to 10,000. Default 500. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Further fields of each tick. Default: none. */
  readonly fields?: readonly TickField[];
}

/**
 * Which range a volume profile covers, at most 31 days.
 * @example await client.profile('BTCUSD', { from: '2026-03-02', to: '2026-03-03', level: 50 });
 */
export interface ProfileOptions {
  /** Start of the range. Default: 00:00 UTC of the day of `to`. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Height of a price level in price units. Default: that of the instrument. */
  readonly level?: number;
}

/**
 * Which footprints to return.
 * @example await client.footprint('BTCUSD', { interval: '15m', limit: 50, level: 20 });
 */
export interface FootprintOptions extends BarsOptions {
  /** Maximum number of bars, up to 1,000. Default 100. */
  readonly limit?: number;
  /** Height of a price level in price units. Default: that of the instrument. */
  readonly level?: number;
}

/**
 * Which bars to loop over.
 * @example for await (const bar of client.barHistory('XAUUSD', { interval: '1d', from: '2020-01-01' })) console.log(bar.close);
 */
export interface BarHistoryOptions extends Pick<BarsOptions, 'interval' | 'align' | 'from' | 'to'> {
  /** Bars per request, 1 to 10,000. Default 5,000. */
  readonly pageSize?: number;
}

/**
 * A file of bars or ticks to download.
 * @example await client.download('EURUSD', { format: 'csv', interval: '1h', from: '2026-01-01' });
 */
export type DownloadOptions = {
  /** Format of the file. Values are the same in every format. */
  readonly format: 'csv' | 'ndjson' | 'parquet';
} & (
  | ({
      /** What the file has. Default `bars`. */
      readonly data?: 'bars';
    } & Omit<BarsOptions, 'cursor'>)
  | ({
      /** What the file has. Default `bars`. */
      readonly data: 'ticks';
    } & Omit<TicksOptions, 'cursor'>)
);

/**
 * A file of history, as it arrives. Read it once: as a stream, or as bytes.
 * @example const { contentType, bytes } = await client.download('EURUSD', { format: 'parquet' });
 */
export interface Download {
  /** Media type of the file, such as `text/csv`. */
  readonly contentType: string;
  /** The content as it arrives. Cancelling it closes the connection. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Reads the whole content into memory. */
  readonly bytes: () => Promise<Uint8Array>;
}

/**
 * Which range to examine, at most 50,000 bars.
 * @example await client.coverage('EURUSD', { timeframe: '1m', from: Date.now() - 3_600_000 });
 */
export interface CoverageOptions {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Start of the range. Default: one day before `to`. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
}
