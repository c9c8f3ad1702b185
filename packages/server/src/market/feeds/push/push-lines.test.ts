import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, SymbolIndex } from '@tickwire/engine';
import fc from 'fast-check';
import { PushSideInference, parseTickLine } from './push-lines.ts';

const index = new SymbolIndex(['EURUSD']);
const known = (code: string) => index.resolve(code);
const read = (text: string) => parseTickLine(text, 7, known, new PushSideInference());
const T0 = 1_700_000_000_000;

describe('parseTickLine', () => {
  test('parses a quote with and without sizes, and the time in milliseconds or ISO 8601', () => {
    const quote = {
      kind: 'quote',
      symbol: asSymbol('EURUSD'),
      time: asEpochMs(T0),
      bid: 1.1,
      ask: 1.2,
      bidSize: 0,
      askSize: 0,
    };
    for (const symbol of ['eurusd', 'EUR/USD', 'EUR_USD', 'eur-usd'])
      expect(read(`{"symbol":"${symbol}","time":${T0},"bid":1.1,"ask":1.2}`)).toEqual({
        event: quote as never,
        line: 7,
      });
    const iso = new Date(T0).toISOString();
    expect(read(`{"symbol":"EURUSD","time":"${iso}","bid":1.1,"ask":1.2,"bid_size":3,"ask_size":4}`)).toEqual({
      event: { ...quote, bidSize: 3, askSize: 4 } as never,
      line: 7,
    });
  });

  test('parses a trade with a side, or infers the side from the quote before', () => {
    const sides = new PushSideInference();
    const line = (text: string) => parseTickLine(text, 1, known, sides);
    line(`{"symbol":"EURUSD","time":${T0},"bid":1.1,"ask":1.2}`);
    expect(line(`{"symbol":"EURUSD","time":${T0},"price":1.1,"size":2}`)).toMatchObject({
      event: { side: 'sell', sideMethod: 'quote_rule' },
    });
    expect(line(`{"symbol":"EURUSD","time":${T0},"price":1.1,"size":2,"side":"buy"}`)).toMatchObject({
      event: { side: 'buy', sideMethod: null },
    });
  });

  test('rejects each kind of bad line with its own code', () => {
    const codes = [
      ['nonsense', 'malformed_json'],
      ['[]', 'malformed_line'],
      ['null', 'malformed_line'],
      ['{"time":1}', 'malformed_line'],
      ['{"symbol":"NOPE","time":1,"bid":1,"ask":2}', 'unknown_symbol'],
      ['{"symbol":"EURUSD","time":"yesterday","bid":1,"ask":2}', 'bad_time'],
      ['{"symbol":"EURUSD","time":-5,"bid":1,"ask":2}', 'bad_time'],
      ['{"symbol":"EURUSD","bid":1,"ask":2}', 'bad_time'],
      ['{"symbol":"EURUSD","time":1,"bid":"1","ask":2}', 'bad_price'],
      ['{"symbol":"EURUSD","time":1,"bid":1}', 'bad_price'],
      ['{"symbol":"EURUSD","time":1,"bid":1,"ask":2,"bid_size":"x"}', 'bad_size'],
      ['{"symbol":"EURUSD","time":1,"price":1}', 'bad_size'],
      ['{"symbol":"EURUSD","time":1}', 'malformed_line'],
      ['{"symbol":"EURUSD","time":1,"price":1,"size":1,"side":"up"}', 'bad_side'],
      ['{"symbol":"EURUSD","time":1,"bid":1,"ask":2,"bidSize":3}', 'malformed_line'],
      ['{"symbol":"EURUSD","time":1,"bid":1,"ask":2,"price":1}', 'malformed_line'],
    ];
    for (const [text, code] of codes) expect(read(text!)).toMatchObject({ code: code!, line: 7 });
    expect(read('{"symbol":"EURUSD","time":1,"price":1,"size":1,"taker":"buy"}')).toMatchObject({
      detail: 'taker is not a field of a trade, which has symbol, time, price, size, side',
    });
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void read(text)));
  });
});
