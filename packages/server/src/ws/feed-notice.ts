// A change of the state of a feed as a notice to the subscribers of its symbols.
import type { Notice } from '@tickwire/contract';
import type { FeedStatusEvent } from '@tickwire/engine';

export function feedNotice(news: FeedStatusEvent, symbols: string[]): Notice {
  switch (news.kind) {
    case 'gap':
      return { event: 'gap', reason: 'feed', symbols };
    case 'disconnect':
      return { event: 'feed', state: 'disconnected', symbols };
    case 'backfilled':
      return { event: 'feed', state: 'backfilled', symbols, trades: news.count };
    case 'failover':
      return { event: 'feed', state: 'failover', symbols, source: news.source };
  }
}
