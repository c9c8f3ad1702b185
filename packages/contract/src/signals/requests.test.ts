import { describe, expect, test } from 'bun:test';
import { fieldMeta } from '../common/values.ts';
import { REQUEST_EXAMPLE } from './examples.ts';
import { MAX_NOTE, SignalRequest, TradingViewAlert } from './requests.ts';

const wrong = (
  body: unknown,
  schema: Pick<typeof SignalRequest | typeof TradingViewAlert, 'safeParse'> = SignalRequest,
) => [...new Set(schema.safeParse(body).error?.issues.map(({ path }) => path.join('.')))];
const withField = (name: string, value: unknown) => ({ ...REQUEST_EXAMPLE, [name]: value });

describe('a signal request', () => {
  test('needs only the required fields and ignores unknown ones', () => {
    const { expires_at: _, note: __, ...needed } = REQUEST_EXAMPLE;
    expect(SignalRequest.parse({ ...needed, leverage: 500 })).toEqual(needed);
  });

  test('names the invalid field', () => {
    for (const name of ['symbol', 'direction', 'entry', 'stop_loss', 'take_profit']) {
      for (const value of [undefined, null, [], {}, true, ''])
        expect([name, value, ...wrong(withField(name, value))]).toEqual([name, value, name]);
    }
    for (const value of [0, -1, Number.NaN, Infinity, '1.084'])
      expect(wrong(withField('entry', value))).toEqual(['entry']);
    for (const value of ['BUY', 'long', 1]) expect(wrong(withField('direction', value))).toEqual(['direction']);
    for (const body of [null, [], 'text', 5]) expect(wrong(body)).toEqual(['']);
  });

  test('of a market order has no entry, and only a market order has a maximum slippage', () => {
    const { entry, ...terms } = REQUEST_EXAMPLE;
    const market = { ...terms, order: 'market' as const };
    for (const order of [market, { ...market, max_slippage: 0 }, { ...market, max_slippage: 0.5 }])
      expect<object>(SignalRequest.parse(order)).toEqual(order);
    expect(wrong({ ...market, entry })).toEqual(['entry']);
    expect(wrong(withField('max_slippage', 0.5))).toEqual(['max_slippage']);
    expect(wrong(withField('order', 'limit'))).toEqual(['order']);
    for (const value of [-1, Number.NaN, '0.5', null])
      expect(wrong({ ...market, max_slippage: value })).toEqual(['max_slippage']);
    expect<object>(TradingViewAlert.parse({ ...market, max_slippage: '0.5' })).toEqual({
      ...market,
      max_slippage: 0.5,
    });
    expect(wrong({ ...market, entry: '1.1' }, TradingViewAlert)).toEqual(['entry']);
    expect(wrong(terms, TradingViewAlert)).toEqual(['entry']);
  });

  test('states in words what every field allows', () => {
    for (const schema of [SignalRequest, TradingViewAlert]) {
      for (const [name, field] of Object.entries(schema.shape))
        expect([name, fieldMeta(field).allowed]).not.toContain(undefined);
    }
  });

  test('has an expiry with an offset and a valid date', () => {
    for (const value of ['2026-03-06T21:00:00Z', '2026-03-06T21:00:00.123456+05:30', '2024-02-29T00:00:00-08:00']) {
      expect([value, ...wrong(withField('expires_at', value))]).toEqual([value]);
      expect(Number.isNaN(Date.parse(value))).toBe(false);
    }
    for (const value of [
      '2026-03-06T21:00:00',
      '2026-03-06T21:00Z',
      '2026-03-06',
      '2026-02-30T00:00:00Z',
      '2026-03-06T25:00:00Z',
      'tomorrow',
      1_772_800_000,
      '',
      null,
    ])
      expect([value, ...wrong(withField('expires_at', value))]).toEqual([value, 'expires_at']);
  });

  test('has a note that is measured in code points', () => {
    for (const note of ['', 'two\nlines\tand a tab', 'é'.repeat(MAX_NOTE), '😀'.repeat(MAX_NOTE)])
      expect(wrong(withField('note', note))).toEqual([]);
    for (const note of ['x'.repeat(MAX_NOTE + 1), '😀'.repeat(MAX_NOTE + 1)])
      expect(wrong(withField('note', note))).toEqual(['note']);
  });

  test('rejects control characters and lone surrogates in a note', () => {
    for (const bad of ['\u0000', '\r\n', '\u001b[31m', '\u007f', '\u0085', '\ud800', 'a\udc00'])
      expect([bad, ...wrong(withField('note', bad))]).toEqual([bad, 'note']);
  });
});

describe('a TradingView alert', () => {
  const read = (fields: object) => TradingViewAlert.parse({ ...REQUEST_EXAMPLE, ...fields });

  test('accepts numbers as texts', () => {
    expect(read({ entry: ' 1.084 ', stop_loss: '1.081', take_profit: 1.09 }) as object).toEqual(REQUEST_EXAMPLE);
    expect(read({ entry: '2.5e-7' }).entry).toBe(2.5e-7);
    for (const entry of ['', ' ', '1,084', '0x10', '1.', 'NaN', '-1', '0', '{{close}}', '1e999', null, true])
      expect([entry, ...wrong({ ...REQUEST_EXAMPLE, entry }, TradingViewAlert)]).toEqual([entry, 'entry']);
  });

  test('accepts an exchange prefix of the symbol', () => {
    for (const [given, symbol] of [
      ['OANDA:EURUSD', 'EURUSD'],
      ['eurusd', 'eurusd'],
      [' BINANCE:BTCUSDT ', 'BTCUSDT'],
    ])
      expect(read({ symbol: given }).symbol).toBe(symbol!);
    for (const symbol of ['OANDA:', '', 5])
      expect(wrong({ ...REQUEST_EXAMPLE, symbol }, TradingViewAlert)).toEqual(['symbol']);
  });

  test('accepts long and short in any case', () => {
    for (const direction of ['buy', 'BUY', 'Long', ' long ']) expect(read({ direction }).direction).toBe('buy');
    for (const direction of ['sell', 'Sell', 'SHORT']) expect(read({ direction }).direction).toBe('sell');
    for (const direction of ['flat', '', 'toString', '__proto__', 1])
      expect([direction, ...wrong({ ...REQUEST_EXAMPLE, direction }, TradingViewAlert)]).toEqual([
        direction,
        'direction',
      ]);
  });

  test('accepts an id that is not empty', () => {
    expect(read({ id: 'x'.repeat(255) }).id).toHaveLength(255);
    for (const id of ['', 'x'.repeat(256), 7])
      expect(wrong({ ...REQUEST_EXAMPLE, id }, TradingViewAlert)).toEqual(['id']);
  });
});
