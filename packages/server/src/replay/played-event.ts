// An event of the recorded past, and when a replay plays it.
import type { ClockEvent, MinuteEvent, PriceEvent } from '@tickwire/engine';

export interface PlayedEvent {
  /** Epoch milliseconds: when the clock must have this time. */
  readonly arrival: number;
  readonly event: PriceEvent | MinuteEvent | ClockEvent;
  readonly source: string;
}
