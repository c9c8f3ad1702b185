// The options of a stream, and their translation into subscribe messages.
import type { FootprintTimeframe, IndicatorText, StreamPosition, Timeframe } from '../common/contract.ts';
import { plainSymbol } from '../common/plain-symbol.ts';
import { isEventKind, isNumberedBySymbol, namesChannel, type StreamKind } from './messages.ts';

/** Options of every stream. */
interface CommonOptions {
  /** Whether messages show `seq`, `prev` and `epoch`. Default false. Gaps are detected either way. */
  readonly seq?: boolean;
  /** Whether to continue where the stream was after a reconnect. Default true. Not possible for footprints and with `maxRate`. */
  readonly resume?: boolean;
  /**
   * Starts after this position, such as `position` of a REST response: messages since then come first, and there is no snapshot.
   * Default: starts with the current state. Needs `resume`.
   */
  readonly resumeFrom?: StreamPosition;
  /** Seconds between heartbeats, 1 to 60. After one more second of silence the stream is `stale`. Default 5. */
  readonly heartbeatSeconds?: number;
}
/** Symbols of market data. */
interface RequiredSymbols {
  /** Instrument codes; `['*']` for all. */
  readonly symbols: readonly string[];
}
/** Symbols of perpetuals, signals, news and alerts. */
interface OptionalSymbols {
  /** Instrument codes. Default `['*']`, which means all. */
  readonly symbols?: readonly string[];
}
/** Options of market data. */
interface MarketDataOptions {
  /** Most messages per second and symbol, 0.1 to 1,000. Volumes in between are added up. Default: no limit. */
  readonly maxRate?: number;
  /** Whether messages have `time_ms`, the time in milliseconds, as well. Default false. */
  readonly ms?: boolean;
}
/** Options of ticks and order flow. */
interface DeliveryOptions extends MarketDataOptions {
  /** What to send if this connection is behind: `all`, or only the `latest` message of each symbol. Default `all`. */
  readonly delivery?: 'all' | 'latest';
}
/** Options of bars. */
interface BarOptions extends MarketDataOptions {
  /** Length of a bar. */
  readonly timeframe: Timeframe;
  /** Adds the values of these indicators to each bar, up to 20: `['rsi(14)', 'macd(12,26,9)']`. Such a stream cannot resume. */
  readonly indicators?: readonly IndicatorText[];
}
/** Options of footprints. */
interface FootprintStreamOptions extends Pick<MarketDataOptions, 'maxRate'> {
  /** Length of a bar. */
  readonly timeframe: FootprintTimeframe;
}
/** Options of signals. */
interface SignalStreamOptions {
  /** Whether to send closings as well as publications. Default false. */
  readonly closes?: boolean;
  /** Whether to send fills as well. Default false. */
  readonly fills?: boolean;
  /** Whether to send partial exits and tighter stops as well. Default false. */
  readonly changes?: boolean;
}

/** The options of each kind of stream. */
interface OptionsByKind {
  /** Options of a stream of ticks. */
  readonly market: CommonOptions & RequiredSymbols & DeliveryOptions;
  /** Options of a stream of order flow. */
  readonly orderflow: CommonOptions & RequiredSymbols & DeliveryOptions;
  /** Options of a stream of bars. */
  readonly bars: CommonOptions & RequiredSymbols & BarOptions;
  /** Options of a stream of footprints. */
  readonly footprint: CommonOptions & RequiredSymbols & FootprintStreamOptions;
  /** Options of a stream of perpetuals. */
  readonly perpetual: CommonOptions & OptionalSymbols & Pick<MarketDataOptions, 'ms'>;
  /** Options of a stream of signals. */
  readonly signals: CommonOptions & OptionalSymbols & SignalStreamOptions;
  /** Options of a stream of headlines. */
  readonly news: CommonOptions & OptionalSymbols;
  /** Options of a stream of firings. */
  readonly alerts: CommonOptions & OptionalSymbols;
}

/**
 * Options of one kind of stream.
 * @example const options: StreamOptions<'bars'> = { symbols: ['EURUSD'], timeframe: '1m', maxRate: 2 };
 */
export type StreamOptions<K extends StreamKind> = OptionsByKind[K];

type AnyOptions = CommonOptions & OptionalSymbols & DeliveryOptions & Partial<BarOptions> & SignalStreamOptions;

/** The options with defaults filled in. */
export interface ResolvedOptions {
  readonly symbols: readonly string[];
  /** Fields of every subscribe message. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly resumes: boolean;
  readonly resumeFrom: StreamPosition | null;
  readonly showsSeq: boolean;
  readonly heartbeatSeconds: number;
  /** REST path that returns what a stream that cannot resume has missed. */
  readonly fill: string | null;
}

const DEFAULT_HEARTBEAT_SECONDS = 5;

export function resolveOptions<K extends StreamKind>(kind: K, options: StreamOptions<K>): ResolvedOptions {
  const given: AnyOptions = options;
  const {
    seq = false,
    resumeFrom = null,
    closes,
    fills,
    changes,
    delivery,
    maxRate,
    ms,
    timeframe,
    indicators,
  } = given;
  const resumes = canResume(kind, given);
  if (resumeFrom && !resumes)
    throw new TypeError('`resumeFrom` needs `resume`, and no footprints, `maxRate` or `indicators`');
  if (namesChannel(kind) && !timeframe) throw new TypeError("`timeframe` is missing, such as '1m'");
  return {
    symbols: normaliseSymbols(kind, given.symbols ?? defaultSymbols(kind)),
    flags: {
      ...(timeframe && { channel: kind, timeframe }),
      ...(indicators && { indicators }),
      ...((seq || resumes) && { seq: true }),
      ...(closes && { closes }),
      ...(fills && { fills }),
      ...(changes && { changes }),
      ...(delivery && { delivery }),
      ...(ms && { ms }),
      ...(maxRate !== undefined && { max_rate: maxRate }),
    },
    resumes,
    resumeFrom,
    showsSeq: seq,
    heartbeatSeconds: given.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS,
    fill: fillOf(kind, timeframe),
  };
}

/** The service cannot replay throttled messages, footprints and values of indicators. */
export const canResume = (
  kind: StreamKind,
  { resume = true, maxRate, indicators }: Pick<AnyOptions, 'resume' | 'maxRate' | 'indicators'>,
): boolean => resume && maxRate === undefined && indicators === undefined && kind !== 'footprint';

function fillOf(kind: StreamKind, timeframe: Timeframe = '1m'): string | null {
  if (kind === 'alerts') return '/api/alerts/firings';
  if (kind === 'perpetual') return '/api/market/{symbol}/perpetual?limit=500';
  if (isEventKind(kind)) return null;
  if (kind === 'footprint') return `/api/footprint/{symbol}?interval=${timeframe}&from={since}`;
  return `/api/market/{symbol}?timeframe=${timeframe}&from={since}`;
}

function defaultSymbols(kind: StreamKind): readonly string[] {
  if (isEventKind(kind)) return ['*'];
  throw new TypeError('`symbols` is missing; use ["*"] for all');
}

/** A stream with one position for all symbols sends them in one message. */
const MAX_SYMBOLS = 1_000;

/** Plain, without duplicates. */
export function normaliseSymbols(kind: StreamKind, symbols: readonly string[]): readonly string[] {
  if (!Array.isArray(symbols) || symbols.some((symbol) => typeof symbol !== 'string'))
    throw new TypeError("`symbols` must be a list of texts, such as ['EURUSD']");
  if (symbols.length === 0) throw new RangeError('`symbols` must not be empty; use ["*"] for all');
  if (!isNumberedBySymbol(kind) && symbols.length > MAX_SYMBOLS)
    throw new RangeError(`A stream of ${kind} takes at most ${MAX_SYMBOLS} symbols; use ["*"] for all`);
  return [...new Set(symbols.map(plainSymbol))];
}
