// The channel of news: new items and revisions.
import type { NewsEvent } from '../../journal/journal.ts';
import type { ItemChannel } from '../../ws/channel.ts';

export const NEWS_CHANNEL: ItemChannel<NewsEvent> = {
  name: 'news',
  event: 'news',
  capacity: 1_024,
  fill: () => '/api/news?detail=true&limit=200&since={since}',
  isFor: () => true,
  symbolsOf: ({ item }) => item.symbols,
  bodyOf: ({ item, revised }) => JSON.stringify(revised ? { ...item, revised: true } : item).slice(0, -1),
};
