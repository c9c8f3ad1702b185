// A mirrored history: prices reflected about a constant, bid and ask swapped, buys and sells swapped.
import { naivePrice, naiveTicks } from './naive-arithmetic.fixture.ts';
import type { NaiveEvent } from './naive-market.fixture.ts';
import type { History } from './random-feed.fixture.ts';

/** Maps a price to its mirror image: price + image = `axis`, in ticks. */
export const reflection =
  (digits: number, axis: number) =>
  (price: number): number =>
    naivePrice(axis - naiveTicks(price, digits), digits);

export function mirrored({ spec, events, postings }: History, axis: number): History {
  const image = reflection(spec.digits, axis);
  const other = (side: 'buy' | 'sell') => (side === 'buy' ? 'sell' : 'buy');
  let spread = 0;
  const imageOf = (event: NaiveEvent): NaiveEvent => {
    if (event.kind === 'trade') return { ...event, price: image(event.price), side: other(event.side) };
    if (event.kind === 'quote') {
      spread = naiveTicks(event.ask, spec.digits) - naiveTicks(event.bid, spec.digits);
      return { ...event, bid: image(event.ask), ask: image(event.bid) };
    }
    if (event.kind !== 'bar') return event;
    // A bar gives the bid; the image of the ask is the bid of the mirrored market.
    const ofAsk = reflection(spec.digits, axis - spread);
    const { open, high, low, close } = event;
    return { ...event, open: ofAsk(open), high: ofAsk(low), low: ofAsk(high), close: ofAsk(close) };
  };
  return {
    spec,
    events: events.map(imageOf),
    postings: postings.map((posting) => {
      const { direction, entry, stop_loss, take_profit, expires_at } = posting.request;
      return {
        ...posting,
        request: {
          direction: other(direction),
          entry: image(entry),
          stop_loss: image(stop_loss),
          take_profit: image(take_profit),
          expires_at,
        },
      };
    }),
  };
}
