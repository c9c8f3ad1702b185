// The channel of order flow.
import { DAY_MS, type FlowEvent, type MarketSymbol, roundSize } from '@tickwire/engine';
import type { EventReaders } from '../../ws/channel.ts';
import type { Conflated } from '../../ws/conflated.ts';
import { FlowRing, flowBody, flowSnapshotBody } from './flow-messages.ts';
import { InstrumentChannel } from './instrument-channel.ts';
import type { MarketChannelOptions } from './tick-channel.ts';

export interface FlowChannelOptions extends MarketChannelOptions {
  readonly now: () => number;
}

export class FlowChannel extends InstrumentChannel<FlowRing> {
  readonly #market: MarketChannelOptions['market'];

  readonly reads: EventReaders = {
    flow: (event, seq, publisher) => {
      const { topic, index } = this.entries.get(event.symbol)!;
      const bought = event.side === 'buy';
      topic.advance(seq, event.size, bought ? event.size : 0);
      this.ring.add(seq, topic.prev, index, event);
      if (topic.hasSubscribers)
        publisher.publish(topic, flowBody(event, bought ? 0 : event.size, bought ? event.size : 0), event.time);
      publisher.schedule(topic.throttled, seq);
      publisher.schedule(topic.followers, seq);
    },
  };

  constructor({ instruments, journal, market, capacity, now }: FlowChannelOptions) {
    super({
      name: 'orderflow',
      instruments,
      journal,
      ring: new FlowRing(instruments, capacity),
      newest: ({ symbol }, conflated) => {
        const flow = market.flow(symbol);
        return flow && { body: newestBody(flow, conflated, now()), time: flow.time };
      },
    });
    this.#market = market;
  }

  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#market.flow(symbol)?.time ?? null;
  }
}

function newestBody(flow: FlowEvent, { messages, volume, askVolume }: Readonly<Conflated>, now: number): string {
  if (messages > 0) return flowBody(flow, roundSize(volume - askVolume), roundSize(askVolume));
  // The cumulative delta starts at 0 every day (UTC).
  const ended = Math.floor(flow.time / DAY_MS) < Math.floor(now / DAY_MS);
  return flowSnapshotBody(ended ? { ...flow, cumulativeDelta: 0 } : flow);
}
