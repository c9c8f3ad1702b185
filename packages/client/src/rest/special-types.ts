// Options and responses of the methods that are written by hand.
import type {
  EvidenceLine,
  MarketResponse,
  NewsDetail,
  OhlcvBarDetail,
  Signal,
  SignalDetail,
  SignalList,
} from '../common/contract.ts';
import type { BarsOptions, TicksOptions } from './options.ts';

/** Response of {@link TickwireClient.market}. */
export type MarketHistory = MarketResponse;

/** Response of {@link TickwireClient.market} with `detail: true`. */
export interface MarketDetailHistory extends Omit<MarketResponse, 'ohlcv'> {
  /** Bars in ascending order, with the volumes at the bid and at the ask. The last one may still be forming. */
  readonly ohlcv: OhlcvBarDetail[];
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
 * Which bars to return values for.
 * @example await client.indicators('EURUSD', 'rsi(14)', { interval: '5m', from: '2026-01-01', limit: 1_000 });
 */
export interface IndicatorsOptions extends BarsOptions {
  /** Maximum number of bars, up to 10,000. Default 100. */
  readonly limit?: number;
}

/** Response of {@link TickwireClient.signals}. */
export interface SignalPage extends Omit<SignalList, 'items'> {
  /** Signals, newest first. */
  readonly items: Signal[];
}

/** Response of {@link TickwireClient.signals} with `detail: true`. */
export interface SignalDetailList extends Omit<SignalList, 'items'> {
  /** Signals, newest first. */
  readonly items: SignalDetail[];
}

/**
 * The ticks of one instrument on one UTC day.
 * @example const { sealed, sha256, lines } = await client.evidence('2026-03-02', 'XAUUSD');
 */
export interface EvidenceDay {
  /** Whether the lines are those of the sealed file. */
  readonly sealed: boolean;
  /** SHA-256 of the sealed file as the log has it, hex; `null` if the lines are read from the tape. */
  readonly sha256: string | null;
  /** In order of `seq`. Can be read once; ending the loop early closes the connection. */
  readonly lines: AsyncGenerator<EvidenceLine, void, undefined>;
}

/** Response of {@link TickwireClient.news} with `detail: true`. */
export interface NewsDetailList {
  /** Headlines, newest first. */
  readonly items: NewsDetail[];
}
