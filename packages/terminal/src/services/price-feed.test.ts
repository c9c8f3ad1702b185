import { expect, test } from 'bun:test';
import type { MarketTick } from '@tickwire/client';
import { PriceFeed, type PriceFeedOptions } from './price-feed.ts';

const tick = { symbol: 'EURUSD', bid: 1.1, ask: 1.2, spread: 0.1, volume: 0, time: 1 } as MarketTick;

function opened(signedIn: boolean) {
  let options: unknown;
  let send: (tick: MarketTick) => void = () => {};
  const quoted: unknown[] = [];
  const feed = new PriceFeed({
    client: { quotes: async () => ({ items: [] }) },
    quotes: { quote: (quote: unknown) => void quoted.push(quote) },
    streams: {
      open: (_kind: string, given: unknown, handlers: { onMessage: typeof send }) => {
        options = given;
        send = handlers.onMessage;
      },
    },
    notifier: {},
    session: { signedIn },
  } as unknown as PriceFeedOptions);
  return { feed, options, quoted, send };
}

test('a signed-in page gets as many quotes as it can show; one with a key, whose chart is built from them, gets all', () => {
  expect(opened(true).options).toEqual({ symbols: ['*'], maxRate: 20 });
  expect(opened(false).options).toEqual({ symbols: ['*'] });
});

test('passes each tick on, until the listener ends', () => {
  const { feed, quoted, send } = opened(true);
  const end = new AbortController();
  const heard: MarketTick[] = [];
  feed.onTick(end.signal, (each) => heard.push(each));
  send(tick);
  end.abort();
  send(tick);
  expect([heard, quoted]).toEqual([[tick], [tick, tick]]);
});
