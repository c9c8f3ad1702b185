// Why a message was not understood, and which part of it.
import type { Place } from './tokens.ts';

export type UnclearReason =
  | 'empty'
  | 'too_long'
  | 'reordered'
  | 'no_instrument'
  | 'unknown_instrument'
  | 'ambiguous_instrument'
  | 'two_instruments'
  | 'no_direction'
  | 'two_directions'
  | 'no_entry'
  | 'entry_range'
  | 'two_entries'
  | 'order_type'
  | 'no_stop'
  | 'two_stops'
  | 'no_target'
  | 'too_many_targets'
  | 'target_order'
  | 'open_target'
  | 'price_range'
  | 'approximate_price'
  | 'price_or_pips'
  | 'implausible_price'
  | 'wrong_side'
  | 'percent'
  | 'stray_number'
  | 'doubt'
  | 'report'
  | 'negation'
  | 'deadline'
  | 'trailing_stop'
  | 'update';

export interface Unclear {
  readonly reason: UnclearReason;
  /** A sentence for the publisher: what is unclear and what to write instead. */
  readonly detail: string;
  /** `null`: the whole message. */
  readonly place: Place | null;
}

/** Thrown while a message is read; never leaves the parser. */
export class UnclearText extends Error implements Unclear {
  readonly reason: UnclearReason;
  readonly detail: string;
  readonly place: Place | null;

  constructor(reason: UnclearReason, detail: string, place: Place | null) {
    super(detail);
    this.reason = reason;
    this.detail = detail;
    this.place = place;
  }
}
