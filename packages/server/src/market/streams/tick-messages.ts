// Ticks as messages: as they are sent, and as they are kept for clients that resume.
import { roundTo, type TickEvent } from '@tickwire/engine';
import { MessageRing } from '../../ws/message-ring.ts';

type TickFields = Pick<TickEvent, 'symbol' | 'bid' | 'ask' | 'time'>;

export function tickBody({ symbol, bid, ask, time }: TickFields, volume: number, digits: number): string {
  return `{"symbol":"${symbol}","bid":${bid},"ask":${ask},"spread":${roundTo(ask - bid, digits)},"time":${Math.floor(time / 1000)},"volume":${volume}`;
}

export class TickRing extends MessageRing {
  readonly #bids = new Float64Array(this.capacity);
  readonly #asks = new Float64Array(this.capacity);
  readonly #times = new Float64Array(this.capacity);
  readonly #volumes = new Float64Array(this.capacity);

  add(seq: number, prev: number, instrument: number, { bid, ask, time, volume }: TickEvent): void {
    const slot = this.addRow(seq, prev, instrument);
    this.#bids[slot] = bid;
    this.#asks[slot] = ask;
    this.#times[slot] = time;
    this.#volumes[slot] = volume;
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const { symbol, digits } = this.instruments[this.topicAt(position)]!;
    const tick = {
      symbol,
      bid: this.#bids[slot]!,
      ask: this.#asks[slot]!,
      time: this.#times[slot]! as TickEvent['time'],
    };
    return tickBody(tick, this.#volumes[slot]!, digits);
  }
}
