import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type MinuteEvent } from '@tickwire/engine';
import { encodeCrossedQuotes } from './crossed-quotes.ts';
import type { TapeBlock, TapeRecord } from './market-store.ts';
import { encodeBlock } from './tape-block.ts';
import { encodeMinute } from './tape-minute.ts';
import { recordsOf, ticksAndCrossedQuotesOf, ticksOf } from './tape-records.ts';

const symbol = asSymbol('XAUUSD');
const minute = asEpochMs(Date.UTC(2026, 0, 5, 10));
const quote = (seq: number, bid: number, ask: number): TapeRecord => ({
  seq,
  event: { kind: 'quote', symbol, time: minute, bid, ask, bidSize: 1, askSize: 2 },
  source: 'oanda',
});
const block = (record: TapeRecord, encode: typeof encodeBlock): TapeBlock => ({
  ...{ symbol, minute, firstSeq: record.seq, count: 1, bidVolume: 0, askVolume: 0 },
  bytes: encode([record], minute, 2),
});
const [tick, crossed] = [quote(1, 100, 101), quote(2, 101, 100)];
const bar: MinuteEvent = {
  kind: 'minute',
  symbol,
  bar: { time: minute, open: 1, high: 2, low: 1, close: 2, volume: 3, bidVolume: 1, askVolume: 2, basis: 'trade' },
};
const blocks = [block(tick, encodeBlock), block(crossed, encodeCrossedQuotes), encodeMinute(3, bar, 'oanda')];

test('ticks, crossed quotes and minutes are told apart', () => {
  expect(blocks.flatMap(ticksOf)).toEqual([tick]);
  expect(blocks.flatMap(ticksAndCrossedQuotesOf)).toEqual([tick, crossed]);
  expect(blocks.flatMap(recordsOf)).toEqual([tick, { seq: 3, event: bar, source: 'oanda' }]);
});
