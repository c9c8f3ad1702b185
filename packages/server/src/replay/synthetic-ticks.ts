// A minute of which only the bar is known, as events. Four quotes carry its prices: the open at its start, low and high after 15 and
// 45 seconds (the high first if the minute fell), and the close in its last millisecond. The ask is one pip above.
//
// A bar of bids is made of these quotes, which have its volume. A bar of trades is added as a whole when the minute ends: no trades
// are invented.
import {
  asEpochMs,
  type Bar,
  type InstrumentSpec,
  MINUTE_MS,
  type MinuteEvent,
  type QuoteEvent,
  roundSize,
  roundTo,
  SECOND_MS,
} from '@tickwire/engine';
import type { PlayedEvent } from './played-event.ts';

/** Source of synthetic ticks. */
export const SYNTHETIC = 'synthetic';

const OFFSETS = [0, 15 * SECOND_MS, 45 * SECOND_MS, MINUTE_MS - 1] as const;

export function eventsOfMinute({ symbol, pipSize, digits }: InstrumentSpec, bar: Bar): PlayedEvent[] {
  const { open, high, low, close } = bar;
  const prices = close < open ? [open, high, low, close] : [open, low, high, close];
  const size = roundSize(bar.volume / 4);
  const events = prices.map((bid, at): PlayedEvent => {
    const time = asEpochMs(bar.time + OFFSETS[at]!);
    const bidSize = bar.basis === 'trade' ? 0 : at < 3 ? size : roundSize(bar.volume - 3 * size);
    const ask = roundTo(bid + pipSize, digits);
    const event: QuoteEvent = { kind: 'quote', symbol, time, bid, ask, bidSize, askSize: bidSize };
    return { arrival: time, event, source: SYNTHETIC };
  });
  if (bar.basis === 'bid') return events;
  const minute: MinuteEvent = { kind: 'minute', symbol, bar };
  return [...events, { arrival: bar.time + MINUTE_MS, event: minute, source: SYNTHETIC }];
}
