import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { encodeCrossedQuotes } from '../store/crossed-quotes.ts';
import type { TapeBlock } from '../store/market-store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { tapePosition } from './tape-position.ts';
import type { TickStore } from './tick-stream.ts';

const symbol = asSymbol('XAUUSD');
const minute = asEpochMs(Date.UTC(2026, 0, 5, 10));

const quote = (seq: number, bid: number, ask: number, encode: typeof encodeBlock): TapeBlock => {
  const event = { kind: 'quote', symbol, time: minute, bid, ask, bidSize: 1, askSize: 2 } as const;
  const bytes = encode([{ seq, event, source: 'oanda' }], minute, 2);
  return { symbol, minute, firstSeq: seq, count: 1, bidVolume: 0, askVolume: 0, bytes };
};

test('crossed quotes do not count', async () => {
  const blocks = [quote(1, 100, 101, encodeBlock), quote(2, 101, 100, encodeCrossedQuotes)];
  const store = { tapeOf: async () => blocks } as unknown as TickStore;
  expect(await tapePosition(store, symbol, minute)).toBe(1);
});
