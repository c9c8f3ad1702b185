// Figures and liquidations of perpetuals as messages: as they are sent, and as they are kept for clients that resume.
import { HOUR_MS } from '@tickwire/engine';
import type { AnyPerpetualEvent, LiquidationEvent, PerpetualEvent } from '../../journal/perpetual-events.ts';
import { MessageRing } from '../../ws/message-ring.ts';

const seconds = (time: number): number => Math.floor(time / 1000);

/** The figures that REST and streams have in the same form. */
export const figuresJson = (event: PerpetualEvent | null) => ({
  venue: event?.venue ?? null,
  mark_price: event?.markPrice ?? null,
  index_price: event?.indexPrice ?? null,
  funding_rate: event?.fundingRate ?? null,
  funding_interval_hours: event?.fundingIntervalMs ? event.fundingIntervalMs / HOUR_MS : null,
});

export const liquidationJson = ({ side, price, size }: LiquidationEvent) => ({ side, price, size });

const fieldsOf = (event: AnyPerpetualEvent): object => {
  const { symbol, venue } = event;
  if (event.kind === 'liquidation') return { type: 'liquidation', symbol, venue, ...liquidationJson(event) };
  const next_funding_time = event.nextFundingTime && seconds(event.nextFundingTime);
  return { type: 'figures', symbol, ...figuresJson(event), next_funding_time, open_interest: event.openInterest };
};

/** JSON without its last brace. */
export const perpetualBody = (event: AnyPerpetualEvent): string =>
  JSON.stringify({ ...fieldsOf(event), time: seconds(event.time) }).slice(0, -1);

export class PerpetualRing extends MessageRing {
  readonly #events: AnyPerpetualEvent[] = [];

  constructor(capacity: number) {
    super([], capacity);
  }

  add(seq: number, prev: number, topic: number, event: AnyPerpetualEvent): void {
    this.#events[this.addRow(seq, prev, topic)] = event;
  }

  bodyAt(position: number): string {
    return perpetualBody(this.#at(position));
  }

  timeAt(position: number): number {
    return this.#at(position).time;
  }

  #at(position: number): AnyPerpetualEvent {
    return this.#events[position % this.capacity]!;
  }
}
