// Parameters of the calls for signals, and response types that depend on them.
import type { EvidenceLine, Signal, SignalDetail, SignalRequest } from '../common/contract.ts';

/**
 * Which signals to return.
 * @example await client.signals({ status: 'closed', symbol: 'EURUSD', limit: 100 });
 */
export interface SignalOptions {
  /** Default `active`. */
  readonly status?: 'active' | 'closed' | 'all';
  /** Only signals in this instrument. */
  readonly symbol?: string;
  /** Only signals of this publisher, by display name or id. */
  readonly user?: string;
  /** Only signals published before the one with this id. To page back, pass the id of the last signal you have. */
  readonly before?: string;
  /** Most signals to return, 1 to 500. Default 50. */
  readonly limit?: number;
  /** Returns each signal in detail. Default false. */
  readonly detail?: boolean;
}

/** Response of {@link TickwireClient.signals}. */
export interface SignalPage {
  /** Signals, newest first. */
  readonly items: Signal[];
  /** Number of items in this response. */
  readonly count: number;
}

/** Response of {@link TickwireClient.signals} with `detail: true`. */
export interface SignalDetailList {
  /** Signals, newest first. */
  readonly items: SignalDetail[];
  /** Number of items in this response. */
  readonly count: number;
}

/**
 * Which log records to return.
 * @example await client.signalLog({ after: 999, limit: 500 });
 */
export interface SignalLogOptions {
  /** Only records with a number above this. Default −1, which starts at the first record. */
  readonly after?: number;
  /** Most records to return, 1 to 1,000. Default 1,000. */
  readonly limit?: number;
}

/**
 * Which kept heads to return.
 * @example await client.signalHeads({ after: 1_000, limit: 1_000 });
 */
export interface SignalHeadsOptions {
  /** Only heads of records with a number above this. Default −1, which starts at the first head. */
  readonly after?: number;
  /** Most heads to return, 1 to 1,000. Default 100. */
  readonly limit?: number;
}

/**
 * Which ticks of a day to return.
 * @example await client.evidence('2026-03-02', 'XAUUSD', { after: 402_911 });
 */
export interface EvidenceOptions {
  /** Only ticks of the tape with a `seq` above this, even if the day is sealed. Default: the sealed file, or the whole tape. */
  readonly after?: number;
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

/** A signal as TradingView sends it in an alert: prices may be strings, and tickers may have an exchange prefix. */
export interface TradingViewAlert extends Pick<SignalRequest, 'symbol' | 'expires_at' | 'note'> {
  /** `long` means buy and `short` means sell. */
  readonly direction: 'buy' | 'long' | 'sell' | 'short';
  /** Entry price. */
  readonly entry: number | string;
  /** Stop price: below the entry of a buy, above the entry of a sell. */
  readonly stop_loss: number | string;
  /** Target price: above the entry of a buy, below the entry of a sell. */
  readonly take_profit: number | string;
  /** Identifies the alert: a repetition within 24 hours returns the first response and publishes nothing. */
  readonly id?: string;
}

/**
 * What to return of one signal.
 * @example await client.signal('sig_1', { windows: true });
 */
export interface SignalDetailOptions {
  /** Adds `windows`: high-impact calendar events at the entry and exit. Default false. */
  readonly windows?: boolean;
}
