import { expect, test } from 'bun:test';
import { forgetLastPrices, keepLastPrices, readLastPrices, storeLastPrices } from './last-prices.ts';
import type { Row } from './quote-board.ts';

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

const row = (symbol: string, bid: number | null): Row =>
  ({
    instrument: { symbol, name: `${symbol} name` },
    digits: 5,
    bid,
    ask: bid,
    spread: 0,
    day: null,
  }) as unknown as Row;
const board = { rows: [row('EURUSD', 1.1), row('GBPUSD', null)], newestAgeMs: 2_000 };

test('keeps the prices that there are, with the time of the newest', () => {
  const store = storage();
  storeLastPrices(store, 'acc_1', board, 10_000);
  expect(readLastPrices(store)).toEqual({
    at: 8_000,
    prices: [{ symbol: 'EURUSD', name: 'EURUSD name', digits: 5, bid: 1.1, ask: 1.1 }],
  });
});

test('stores nothing before the first price, and forgets on request', () => {
  const store = storage();
  storeLastPrices(store, 'acc_1', { rows: board.rows, newestAgeMs: null }, 10_000);
  expect(readLastPrices(store)).toBeNull();
  storeLastPrices(store, 'acc_1', board, 10_000);
  forgetLastPrices(store);
  expect(readLastPrices(store)).toBeNull();
});

test('a session of another account does not see them', () => {
  const store = storage();
  storeLastPrices(store, 'acc_1', board, 10_000);
  const again = new AbortController();
  keepLastPrices(store, 'acc_1', board, again.signal);
  expect(readLastPrices(store)).not.toBeNull();
  keepLastPrices(store, 'acc_2', board, again.signal);
  expect(readLastPrices(store)).toBeNull();
  again.abort();
});

test('ignores what another version has stored', () => {
  const store = storage();
  store.setItem('tickwire.last-prices', '{"at":1,"prices":[{"symbol":"EURUSD"},7,null]}');
  expect(readLastPrices(store)).toBeNull();
});
