// A headline from the view of one instrument: "Dollar falls" is good for EURUSD and bad for USDJPY.
import type { NewsDetail } from './schemas.ts';

type Scored = Pick<NewsDetail, 'sentiment' | 'sentiment_score' | 'certainty' | 'sentiments'>;

/** The item with the sentiment for an instrument in place of the overall one. The certainty is that of the overall label. */
export function fromViewOf<Item extends Scored>(item: Item, symbol: string | null): Item {
  const own = item.sentiments.find((each) => each.symbol === symbol);
  if (!own || item.sentiments.length === 1) return item;
  return { ...item, sentiment: own.sentiment, sentiment_score: own.sentiment_score, certainty: null };
}
