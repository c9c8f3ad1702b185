import { expect, test } from 'bun:test';
import { deliveriesOf, SYMBOLS, SYMBOLS_PER_READER, symbolsOf } from './reader-lists.ts';

test('a reader has different symbols, and readers have different lists', () => {
  const lists = Array.from({ length: 1_000 }, (_, reader) => symbolsOf(reader));
  for (const list of lists) expect(new Set(list).size).toBe(SYMBOLS_PER_READER);
  expect(new Set(lists.map((list) => [...list].sort().join())).size).toBe(1_000);
  expect(symbolsOf(7)).toEqual(symbolsOf(7));
});

test('every symbol has about as many readers', () => {
  const readers = new Map(SYMBOLS.map((symbol) => [symbol, 0]));
  for (let reader = 0; reader < 1_000; reader++)
    for (const symbol of symbolsOf(reader)) readers.set(symbol, readers.get(symbol)! + 1);
  const expected = (1_000 * SYMBOLS_PER_READER) / SYMBOLS.length;
  for (const count of readers.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.15);
});

test('deliveries of a feed are those of its ticks to the readers of their symbols', () => {
  const ticks = 2 * SYMBOLS.length + 5;
  let sum = 0;
  for (let tick = 0; tick < ticks; tick++)
    for (let reader = 0; reader < 30; reader++) if (symbolsOf(reader).includes(SYMBOLS[tick % SYMBOLS.length]!)) sum++;
  expect(deliveriesOf(ticks, 30)).toBe(sum);
});
