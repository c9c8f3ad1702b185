// What a stream is asked for, in the words of the caller and in those of the wire.
import type { Timeframe } from './contract.ts';
import type { StreamKind } from './wire.ts';

interface EveryStream {
  /** Shows `seq`, `prev` and `epoch` in every message. Continuity is kept without it, too. */
  readonly seq?: boolean;
  /** After a reconnect, goes on where it was. Default true; bars and `maxRate` start with what is newest. */
  readonly resume?: boolean;
  /** The service is to speak at least this often, 1 to 60; a second more of silence, and the stream is `stale`. Default 5. */
  readonly heartbeatSeconds?: number;
}
interface Some {
  /** "*" means all. */
  readonly symbols: readonly string[];
}
interface SomeOrAll {
  /** All when left out. */
  readonly symbols?: readonly string[];
}
interface Paced {
  /** Messages per second and symbol at most, 0.1 to 1000; volumes in between are added up. */
  readonly maxRate?: number;
}
interface Thinned extends Paced {
  /** `latest`: when this client is behind, only the newest message of each symbol, without notice. */
  readonly delivery?: 'all' | 'latest';
}

interface OptionsOfKind {
  readonly market: EveryStream & Some & Thinned;
  readonly orderflow: EveryStream & Some & Thinned;
  readonly bars: EveryStream & Some & Paced & { readonly timeframe: Timeframe };
  /** `closes`: closings too. */
  readonly signals: EveryStream & SomeOrAll & { readonly closes?: boolean };
  readonly news: EveryStream & SomeOrAll;
}
export type StreamOptions<K extends StreamKind> = OptionsOfKind[K];

/** All that any stream may be asked. */
type AnyOptions = EveryStream & SomeOrAll & Thinned & { readonly timeframe?: Timeframe; readonly closes?: boolean };

export interface Terms {
  readonly symbols: readonly string[];
  /** What goes into every message that subscribes. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly resumes: boolean;
  readonly showsSeq: boolean;
  readonly heartbeatSeconds: number;
  /** Where to get what a stream that cannot resume has missed. */
  readonly fill: string | null;
}

const HEARTBEAT_SECONDS = 5;

export function termsOf<K extends StreamKind>(kind: K, options: StreamOptions<K>): Terms {
  const given: AnyOptions = options;
  const { seq = false, resume = true, closes, delivery, maxRate, timeframe } = given;
  const resumes = resume && kind !== 'bars' && maxRate === undefined;
  return {
    symbols: distinct(kind, given.symbols ?? ['*']),
    flags: {
      ...(timeframe && { channel: 'bars', timeframe }),
      ...((seq || resumes) && { seq: true }),
      ...(closes && { closes }),
      ...(delivery && { delivery }),
      ...(maxRate !== undefined && { max_rate: maxRate }),
    },
    resumes,
    showsSeq: seq,
    heartbeatSeconds: given.heartbeatSeconds ?? HEARTBEAT_SECONDS,
    fill:
      kind === 'signals' || kind === 'news' ? null : `/api/market/{symbol}?timeframe=${timeframe ?? '1m'}&from={since}`,
  };
}

/** What is asked for in one message; news must be, because it is one run. */
const MOST_SYMBOLS_OF_NEWS = 1_000;

/** Each once, as the service writes them. */
export function distinct(kind: StreamKind, symbols: readonly string[]): readonly string[] {
  if (symbols.length === 0) throw new RangeError('A stream needs at least one symbol; "*" means all');
  if (kind === 'news' && symbols.length > MOST_SYMBOLS_OF_NEWS)
    throw new RangeError(`News takes ${MOST_SYMBOLS_OF_NEWS} symbols at most; "*" means all`);
  return [...new Set(symbols.map((symbol) => symbol.toUpperCase()))];
}
