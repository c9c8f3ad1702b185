import { expect, test } from 'bun:test';
import type { MarketTick, OrderFlowTick } from '@tickwire/client';
import { FormingPrices } from './forming-prices.ts';

const quote = (time: number): MarketTick => ({ symbol: 'EURUSD', time, bid: 1.1, ask: 1.2, volume: 1 }) as MarketTick;
const trade = (time: number, volume = 2): OrderFlowTick =>
  ({ symbol: 'EURUSD', time, price: 1.15, bid_volume: volume, ask_volume: 0 }) as OrderFlowTick;

function newPrices() {
  const applied: number[] = [];
  const feed = { applyPrice: (price: number) => void applied.push(price), applyTakerVolume: () => {} };
  return { applied, prices: new FormingPrices(feed) };
}

test('the bid forms the bar until there is a trade, and again a minute after the last', () => {
  const { applied, prices } = newPrices();
  prices.quote(quote(1_000));
  prices.trade(trade(1_001));
  prices.quote(quote(1_060));
  prices.trade(trade(1_061, 0));
  prices.quote(quote(1_062));
  expect(applied).toEqual([1.1, 1.15, 1.1]);
});

test('in bars with trades the bid does not count, until another interval is opened', () => {
  const { applied, prices } = newPrices();
  prices.see([{ time: 0, open: 1, high: 1, low: 1, close: 1, volume: 1, bidVolume: 1, askVolume: 0 }]);
  prices.quote(quote(1_000));
  expect([prices.traded, applied]).toEqual([true, []]);
  prices.open(false);
  prices.quote(quote(1_000));
  expect([prices.traded, applied]).toEqual([false, [1.1]]);
});
