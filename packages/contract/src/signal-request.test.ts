import { describe, expect, test } from 'bun:test';
import { REQUEST_EXAMPLE } from './signal-examples.ts';
import { MAX_NOTE, SignalRequest, TradingViewAlert } from './signal-request.ts';

const wrong = (body: unknown, schema: typeof SignalRequest | typeof TradingViewAlert = SignalRequest) => [
  ...new Set(schema.safeParse(body).error?.issues.map(({ path }) => path.join('.'))),
];
const withField = (name: string, value: unknown) => ({ ...REQUEST_EXAMPLE, [name]: value });

describe('a request to publish', () => {
  test('takes what is needed, and ignores what it does not know', () => {
    const { expires_at: _, note: __, ...needed } = REQUEST_EXAMPLE;
    expect(SignalRequest.parse({ ...needed, leverage: 500 })).toEqual(needed);
  });

  test('names the field that is wrong', () => {
    for (const name of ['symbol', 'direction', 'entry', 'stop_loss', 'take_profit']) {
      for (const value of [undefined, null, [], {}, true, ''])
        expect([name, value, ...wrong(withField(name, value))]).toEqual([name, value, name]);
    }
    for (const value of [0, -1, Number.NaN, Infinity, '1.084'])
      expect(wrong(withField('entry', value))).toEqual(['entry']);
    for (const value of ['BUY', 'long', 1]) expect(wrong(withField('direction', value))).toEqual(['direction']);
    for (const body of [null, [], 'text', 5]) expect(wrong(body)).toEqual(['']);
  });

  test('every field says in words what it allows', () => {
    for (const schema of [SignalRequest, TradingViewAlert]) {
      for (const [name, field] of Object.entries(schema.shape))
        expect([name, field.meta()?.allowed]).not.toContain(undefined);
    }
  });

  test('an expiry needs its offset, and is one that a clock can read', () => {
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

  test('a note is counted in characters, not in halves of them', () => {
    for (const note of ['', 'two\nlines\tand a tab', 'é'.repeat(MAX_NOTE), '😀'.repeat(MAX_NOTE)])
      expect(wrong(withField('note', note))).toEqual([]);
    for (const note of ['x'.repeat(MAX_NOTE + 1), '😀'.repeat(MAX_NOTE + 1)])
      expect(wrong(withField('note', note))).toEqual(['note']);
  });

  test('a note has no control characters and no half characters, whose hash would be that of another text', () => {
    for (const bad of ['\u0000', '\r\n', '\u001b[31m', '\u007f', '\u0085', '\ud800', 'a\udc00'])
      expect([bad, ...wrong(withField('note', bad))]).toEqual([bad, 'note']);
  });
});

describe('an alert of TradingView', () => {
  const read = (fields: object) => TradingViewAlert.parse({ ...REQUEST_EXAMPLE, ...fields });

  test('may write numbers as texts', () => {
    expect(read({ entry: ' 1.084 ', stop_loss: '1.081', take_profit: 1.09 })).toEqual(REQUEST_EXAMPLE);
    expect(read({ entry: '2.5e-7' }).entry).toBe(2.5e-7);
    for (const entry of ['', ' ', '1,084', '0x10', '1.', 'NaN', '-1', '0', '{{close}}', '1e999', null, true])
      expect([entry, ...wrong({ ...REQUEST_EXAMPLE, entry }, TradingViewAlert)]).toEqual([entry, 'entry']);
  });

  test('may name the exchange before the symbol', () => {
    for (const [given, symbol] of [
      ['OANDA:EURUSD', 'EURUSD'],
      ['eurusd', 'eurusd'],
      [' BINANCE:BTCUSDT ', 'BTCUSDT'],
    ])
      expect(read({ symbol: given }).symbol).toBe(symbol!);
    for (const symbol of ['OANDA:', '', 5])
      expect(wrong({ ...REQUEST_EXAMPLE, symbol }, TradingViewAlert)).toEqual(['symbol']);
  });

  test('may say long and short, in any case', () => {
    for (const direction of ['buy', 'BUY', 'Long', ' long ']) expect(read({ direction }).direction).toBe('buy');
    for (const direction of ['sell', 'Sell', 'SHORT']) expect(read({ direction }).direction).toBe('sell');
    for (const direction of ['flat', '', 'toString', '__proto__', 1])
      expect([direction, ...wrong({ ...REQUEST_EXAMPLE, direction }, TradingViewAlert)]).toEqual([
        direction,
        'direction',
      ]);
  });

  test('may carry an id, which is not empty', () => {
    expect(read({ id: 'x'.repeat(255) }).id).toHaveLength(255);
    for (const id of ['', 'x'.repeat(256), 7])
      expect(wrong({ ...REQUEST_EXAMPLE, id }, TradingViewAlert)).toEqual(['id']);
  });
});
