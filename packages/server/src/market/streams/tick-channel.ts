// The channel of ticks.
import { type InstrumentSpec, type MarketSymbol, roundSize } from '@tickwire/engine';
import type { Journal } from '../../journal/journal.ts';
import type { EventReaders } from '../../ws/channel.ts';
import type { MarketView } from '../market-view.ts';
import { InstrumentChannel } from './instrument-channel.ts';
import { TickRing, tickBody } from './tick-messages.ts';

export interface MarketChannelOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Pick<Journal, 'epoch' | 'lastSeq'>;
  readonly market: Pick<MarketView, 'tick' | 'flow'>;
  /** Number of messages that are kept for clients that resume. */
  readonly capacity: number;
}

export class TickChannel extends InstrumentChannel<TickRing> {
  readonly #market: MarketChannelOptions['market'];

  readonly reads: EventReaders = {
    tick: (event, seq, publisher) => {
      const { topic, index, digits } = this.entries.get(event.symbol)!;
      topic.advance(seq, event.volume, 0);
      this.ring.add(seq, topic.prev, index, event);
      if (topic.hasSubscribers) publisher.publish(topic, tickBody(event, event.volume, digits), event.time);
      publisher.schedule(topic.throttled, seq);
      publisher.schedule(topic.followers, seq);
    },
  };

  constructor({ instruments, journal, market, capacity }: MarketChannelOptions) {
    super({
      name: 'market',
      instruments,
      journal,
      ring: new TickRing(instruments, capacity),
      newest: ({ symbol, digits }, { volume }) => {
        const tick = market.tick(symbol);
        return tick && { body: tickBody(tick, roundSize(volume), digits), time: tick.time };
      },
    });
    this.#market = market;
  }

  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#market.tick(symbol)?.time ?? null;
  }
}
