// A line of sealed evidence: one tick, or a minute known only as a bar. The format is in docs/signals.md. The order of
// members is part of it, because the bytes are hashed.
import type { Side } from '@tickwire/engine';
import type { TapeRecord } from '../../store/market-store.ts';
import type { MinuteRecord } from '../../store/tape-minute.ts';

export type EvidenceLine = EvidenceQuote | EvidenceTrade | BarLine;

export interface EvidenceQuote {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
  readonly source: string;
}

export interface EvidenceTrade {
  readonly seq: number;
  readonly time: number;
  readonly price: number;
  readonly side: Side;
  readonly source: string;
}

export interface BarLine {
  readonly seq: number;
  /** Start of the minute. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** The minute was not over when the bar was fetched. */
  readonly partial?: true;
}

export function toEvidenceLine({ seq, event, source }: TapeRecord | MinuteRecord): EvidenceLine {
  if (event.kind === 'quote') return { seq, time: event.time, bid: event.bid, ask: event.ask, source };
  if (event.kind === 'trade') return { seq, time: event.time, price: event.price, side: event.side, source };
  const { time, open, high, low, close, partial } = event.bar;
  return { seq, time, open, high, low, close, ...(partial && { partial }) };
}
