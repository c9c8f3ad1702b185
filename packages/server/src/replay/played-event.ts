// An event of the recorded past, and when a replay plays it.
import type { ClockEvent, MinuteEvent, PriceEvent } from '@tickwire/engine';
import type { NewsEvent } from '../journal/journal.ts';

type MarketEvent = PriceEvent | MinuteEvent | ClockEvent;

export interface PlayedEvent<Event extends MarketEvent | NewsEvent = MarketEvent> {
  /** Epoch milliseconds: when the clock must have this time. */
  readonly arrival: number;
  readonly event: Event;
  readonly source: string;
}

/** An event of the markets or a headline. */
export type AnyPlayedEvent = PlayedEvent<MarketEvent | NewsEvent>;
