// Changes of the state of feeds, as notices to the subscribers of their symbols. They follow the messages of their batch.
import type { Notice } from '@tickwire/contract';
import type { FeedStatusEvent } from '@tickwire/engine';
import type { EventReaders } from './channel.ts';
import type { Connection } from './connection.ts';

export class FeedNotices {
  /** Of the batch that was read last. */
  #events: FeedStatusEvent[] = [];

  readonly reads: EventReaders = {
    gap: (event) => this.#events.push(event),
    disconnect: (event) => this.#events.push(event),
    backfilled: (event) => this.#events.push(event),
    failover: (event) => this.#events.push(event),
  };

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  send(connections: Iterable<Connection>): void {
    const events = this.#events;
    this.#events = [];
    for (const event of events)
      for (const { subscribers } of connections)
        for (const subscriber of subscribers) {
          const subscribed = new Set([...subscriber.subscriptions].map(({ topic }) => topic.symbol));
          const symbols = event.symbols.filter((symbol) => subscribed.has(symbol));
          if (symbols.length > 0) subscriber.notify(feedNotice(event, symbols));
        }
  }
}

function feedNotice(event: FeedStatusEvent, symbols: string[]): Notice {
  switch (event.kind) {
    case 'gap':
      return { event: 'gap', reason: 'feed', symbols };
    case 'disconnect':
      return { event: 'feed', state: 'disconnected', symbols };
    case 'backfilled':
      return { event: 'feed', state: 'backfilled', symbols, trades: event.count };
    case 'failover':
      return { event: 'feed', state: 'failover', symbols, source: event.source };
  }
}
