import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Side, type SideMethod } from '@tickwire/engine';
import fc from 'fast-check';
import { decodeCrossedQuotes, encodeCrossedQuotes } from './crossed-quotes.ts';
import type { TapeRecord } from './market-store.ts';
import { BlockWriter, decodeBlock, encodeBlock } from './tape-block.ts';

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
  source: fc.oneof(fc.constantFrom('', 'sim', 'binance', 'push:pub_7f3a', 'Börse 東京'), fc.string({ maxLength: 255 })),
});
const TICKS: readonly TapeRecord[] = [
  {
    seq: 70,
    event: { kind: 'quote', symbol, time: asEpochMs(MINUTE + 5), bid: 2400.1, ask: 2400.3, bidSize: 1.5, askSize: 2 },
    source: '',
  },
  {
    seq: 72,
    event: {
      kind: 'trade',
      symbol,
      time: asEpochMs(MINUTE + 9),
      price: 2400.2,
      size: 0.1,
      side: 'sell',
      sideMethod: null,
      id: 7,
    },
    source: '',
  },
];

describe('tape blocks', () => {
  test('decode to exactly what was encoded', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (records) => {
        expect(decodeBlock(encodeBlock(records, MINUTE, 3), symbol, MINUTE)).toEqual(records);
      }),
    );
  });

  test('need about ten bytes for an ordinary tick', () => {
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
        source: 'push:pub_0123456789abcdef',
      }),
    );
    expect(encodeBlock(records, MINUTE, 3).length / 1000).toBeLessThan(10);
  });

  test('store the source only where it changes', () => {
    const tick = (seq: number, source: string): TapeRecord => ({ ...TICKS[0]!, seq, source });
    const sources = ['sim', 'sim', 'binance', 'sim', '', '', 'sim'];
    const records = sources.map((source, index) => tick(index + 1, source));
    const bytes = encodeBlock(records, MINUTE, 3);
    expect(decodeBlock(bytes, symbol, MINUTE)).toEqual(records);
    const without = encodeBlock(
      records.map(({ seq }) => tick(seq, '')),
      MINUTE,
      3,
    );
    // One length byte for each of the five changes.
    expect(bytes.length - without.length).toBe(5 + 'simbinancesimsim'.length);
  });

  test('store the source once while a block grows, whenever its bytes are read', () => {
    const writer = new BlockWriter(MINUTE, 3);
    for (const [index, source] of ['sim', 'sim', 'kraken', 'kraken'].entries()) {
      writer.append(index + 1, TICKS[index % 2]!.event, source);
      const read = decodeBlock(writer.bytes(), symbol, MINUTE);
      expect(read.map((each) => each.source)).toEqual(['sim', 'sim', 'kraken', 'kraken'].slice(0, index + 1));
    }
  });

  test('keep the source of crossed quotes', () => {
    const records = TICKS.map((each) => ({ ...each, source: 'import' }));
    expect(decodeCrossedQuotes(encodeCrossedQuotes(records, MINUTE, 3), symbol, MINUTE)).toEqual(records);
  });

  test('reject a source that is too long, without damaging the block', () => {
    const writer = new BlockWriter(MINUTE, 3);
    writer.append(1, TICKS[0]!.event, 'sim');
    expect(() => writer.append(2, TICKS[0]!.event, 'é'.repeat(128))).toThrow('256 bytes');
    writer.append(3, TICKS[0]!.event, 'sim');
    expect(decodeBlock(writer.bytes(), symbol, MINUTE).map(({ seq }) => seq)).toEqual([1, 3]);
  });

  test('reject a truncated block and one of a later format', () => {
    const bytes = encodeBlock(
      [
        {
          seq: 1,
          event: { kind: 'trade', symbol, time: asEpochMs(MINUTE), price: 1, size: 1, side: 'buy', sideMethod: null },
          source: 'sim',
        },
      ],
      MINUTE,
      3,
    );
    for (let end = 3; end < bytes.length; end++)
      expect(() => decodeBlock(bytes.slice(0, end), symbol, MINUTE)).toThrow('too early');
    expect(() => decodeBlock(Uint8Array.from([9, ...bytes.slice(1)]), symbol, MINUTE)).toThrow('format 9');
  });
});
