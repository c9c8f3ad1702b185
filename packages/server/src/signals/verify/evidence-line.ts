// A line of sealed evidence: one tick, or a minute known only as a bar. The format is in docs/reference/signals.md. The order of
// members is part of it, because the bytes are hashed.
import type { EvidenceLine } from '@tickwire/contract';
import type { TapeRecord } from '../../store/market-store.ts';
import type { MinuteRecord } from '../../store/tape-minute.ts';

export type { EvidenceBar as BarLine, EvidenceLine } from '@tickwire/contract';

export function toEvidenceLine({ seq, event, source }: TapeRecord | MinuteRecord): EvidenceLine {
  if (event.kind === 'quote') return { seq, time: event.time, bid: event.bid, ask: event.ask, source };
  if (event.kind === 'trade') return { seq, time: event.time, price: event.price, side: event.side, source };
  const { time, open, high, low, close, partial } = event.bar;
  return { seq, time, open, high, low, close, ...(partial && { partial }) };
}
