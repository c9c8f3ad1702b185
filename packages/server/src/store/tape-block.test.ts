import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Side, type SideMethod } from '@tickwire/engine';
import fc from 'fast-check';
import type { TapeRecord } from './store.ts';
import { decodeBlock, encodeBlock } from './tape-block.ts';

const MINUTE = Date.UTC(2026, 0, 5, 10);
const symbol = asSymbol('XAUUSD');
const time = fc.integer({ min: 0, max: 59_999 }).map((ms) => asEpochMs(MINUTE + ms));
const price = fc.integer({ min: 1, max: 2 ** 40 }).map((ticks) => ticks / 1000);
const size = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }).map((n) => n / 1e4),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
);
const record: fc.Arbitrary<TapeRecord> = fc.record({
  seq: fc.integer({ min: 1, max: 2 ** 50 }),
  event: fc.oneof(
    fc.record({
      kind: fc.constant('quote' as const),
      symbol: fc.constant(symbol),
      time,
      bid: price,
      ask: price,
      bidSize: size,
      askSize: size,
    }),
    fc.record(
      {
        kind: fc.constant('trade' as const),
        symbol: fc.constant(symbol),
        time,
        price,
        size,
        side: fc.constantFrom<Side>('buy', 'sell'),
        sideMethod: fc.constantFrom<SideMethod | null>(null, 'quote_rule', 'tick_rule'),
        id: fc.integer({ min: 0, max: 2 ** 48 }),
      },
      { requiredKeys: ['kind', 'symbol', 'time', 'price', 'size', 'side', 'sideMethod'] },
    ),
  ),
});

describe('tape blocks', () => {
  test('whatever goes in comes out, to the last bit', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (records) => {
        expect(decodeBlock(encodeBlock(records, MINUTE, 3), symbol, MINUTE)).toEqual(records);
      }),
    );
  });

  test('an ordinary tick costs about ten bytes', () => {
    const records = Array.from(
      { length: 1000 },
      (_, index): TapeRecord => ({
        seq: 5_000_000 + index * 30,
        event: {
          kind: 'quote',
          symbol,
          time: asEpochMs(MINUTE + index * 50),
          bid: (2_400_000 + (index % 17)) / 1000,
          ask: (2_400_200 + (index % 13)) / 1000,
          bidSize: 10 + (index % 5),
          askSize: 12,
        },
      }),
    );
    expect(encodeBlock(records, MINUTE, 3).length / 1000).toBeLessThan(10);
  });

  test('a truncated block and one of a later format are refused', () => {
    const bytes = encodeBlock(
      [
        {
          seq: 1,
          event: { kind: 'trade', symbol, time: asEpochMs(MINUTE), price: 1, size: 1, side: 'buy', sideMethod: null },
        },
      ],
      MINUTE,
      3,
    );
    expect(() => decodeBlock(bytes.slice(0, -1), symbol, MINUTE)).toThrow('too early');
    expect(() => decodeBlock(Uint8Array.from([9, ...bytes.slice(1)]), symbol, MINUTE)).toThrow('format 9');
  });
});
