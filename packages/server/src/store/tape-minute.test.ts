import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type MinuteEvent } from '@tickwire/engine';
import { decodeMinute, encodeMinute } from './tape-minute.ts';

const minute: MinuteEvent = {
  kind: 'minute',
  symbol: asSymbol('XAUUSD'),
  bar: {
    time: asEpochMs(Date.UTC(2026, 0, 5, 10)),
    open: 1.5,
    high: 2.5,
    low: 1.25,
    close: 2,
    volume: 3,
    bidVolume: 1,
    askVolume: 2,
    basis: 'trade',
  },
};

test.each(['', 'sim', 'oanda', 'Börse'])('decodes a minute with its seq and its source (%p)', (source) => {
  expect(decodeMinute(encodeMinute(81, minute, source))).toEqual({ seq: 81, event: minute, source });
});

test('decodes a minute that was not over as such, and adds nothing to the volumes of the day', () => {
  for (const basis of ['trade', 'bid'] as const) {
    const partial: MinuteEvent = { ...minute, bar: { ...minute.bar, basis, partial: true } };
    const block = encodeMinute(81, partial, 'oanda');
    expect(block).toMatchObject({ count: 0, bidVolume: 0, askVolume: 0 });
    const bar = { ...partial.bar, bidVolume: 0, askVolume: 0 };
    expect(decodeMinute(block)).toEqual({ seq: 81, event: { ...partial, bar }, source: 'oanda' });
  }
});
