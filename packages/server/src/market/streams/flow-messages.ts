// Order flow as messages: as they are sent, and as they are kept for clients that resume.
import { type FlowEvent, roundSize, type Side, type SideMethod } from '@tickwire/engine';
import { MessageRing } from '../../ws/message-ring.ts';

type FlowFields = Pick<
  FlowEvent,
  'symbol' | 'price' | 'time' | 'cumulativeDelta' | 'imbalance' | 'absorption' | 'sideMethod'
>;

export function flowBody(
  { symbol, price, time, cumulativeDelta, imbalance, absorption, sideMethod }: FlowFields,
  bidVolume: number,
  askVolume: number,
): string {
  const method = sideMethod ? `,"side_method":"${sideMethod}"` : '';
  return `{"symbol":"${symbol}","bid_volume":${bidVolume},"ask_volume":${askVolume},"delta":${roundSize(askVolume - bidVolume)},"cumulative_delta":${cumulativeDelta},"price":${price},"time":${Math.floor(time / 1000)},"imbalance":${imbalance},"absorption":${absorption ? `"${absorption}"` : 'null'}${method}`;
}

/** Order flow without new volume, as the first message of a subscription. */
export function flowSnapshotBody({ symbol, price, time, cumulativeDelta, imbalance }: FlowFields): string {
  return `{"symbol":"${symbol}","bid_volume":0,"ask_volume":0,"delta":0,"cumulative_delta":${cumulativeDelta},"price":${price},"time":${Math.floor(time / 1000)},"imbalance":${imbalance},"absorption":null`;
}

const SIDES: readonly (Side | null)[] = [null, 'buy', 'sell'];
/** Its index in SIDES. */
const flagOf = (side: Side | null): number => (side === null ? 0 : side === 'buy' ? 1 : 2);
const METHODS: readonly (SideMethod | null)[] = [null, 'quote_rule', 'tick_rule'];

export class FlowRing extends MessageRing {
  readonly #prices = new Float64Array(this.capacity);
  readonly #sizes = new Float64Array(this.capacity);
  readonly #times = new Float64Array(this.capacity);
  readonly #cumulative = new Float64Array(this.capacity);
  readonly #imbalances = new Float64Array(this.capacity);
  /** Side, side of the absorption and side method, two bits each. */
  readonly #flags = new Uint8Array(this.capacity);

  add(seq: number, prev: number, instrument: number, flow: FlowEvent): void {
    const slot = this.addRow(seq, prev, instrument);
    this.#prices[slot] = flow.price;
    this.#sizes[slot] = flow.size;
    this.#times[slot] = flow.time;
    this.#cumulative[slot] = flow.cumulativeDelta;
    this.#imbalances[slot] = flow.imbalance;
    this.#flags[slot] = flagOf(flow.side) | (flagOf(flow.absorption) << 2) | (METHODS.indexOf(flow.sideMethod) << 4);
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const flags = this.#flags[slot]!;
    const size = this.#sizes[slot]!;
    const bought = SIDES[flags & 3] === 'buy';
    return flowBody(
      {
        symbol: this.instruments[this.topicAt(position)]!.symbol,
        price: this.#prices[slot]!,
        time: this.#times[slot]! as FlowEvent['time'],
        cumulativeDelta: this.#cumulative[slot]!,
        imbalance: this.#imbalances[slot]!,
        absorption: SIDES[(flags >> 2) & 3]!,
        sideMethod: METHODS[flags >> 4]!,
      },
      bought ? 0 : size,
      bought ? size : 0,
    );
  }
}
