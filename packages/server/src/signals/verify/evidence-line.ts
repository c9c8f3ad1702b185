// A line of sealed evidence: one tick, or a minute that was known only as a bar. docs/signals.md has the format; the order
// of the members is part of it, for the bytes are hashed.
import type { Side } from '@tickwire/engine';
import type { TapeRecord } from '../../store/store.ts';
import type { MinuteRecord } from '../../store/tape-minute.ts';

export type EvidenceLine = QuoteLine | TradeLine | BarLine;

export interface QuoteLine {
  readonly seq: number;
  /** Milliseconds. */
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
  readonly source: string;
}

export interface TradeLine {
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
  /** The minute still ran when it was told. */
  readonly partial?: true;
}

export function lineOf({ seq, event, source }: TapeRecord | MinuteRecord): EvidenceLine {
  if (event.kind === 'quote') return { seq, time: event.time, bid: event.bid, ask: event.ask, source };
  if (event.kind === 'trade') return { seq, time: event.time, price: event.price, side: event.side, source };
  const { time, open, high, low, close, partial } = event.bar;
  return { seq, time, open, high, low, close, ...(partial && { partial }) };
}
