// The estimate against counts of two published tokenizers, measured once: it is never below them, and not far above.
import { describe, expect, test } from 'bun:test';
import { estimateTokens } from './tokens.ts';

/** Name, text, tokens by o200k and by cl100k. */
const MEASURED: readonly (readonly [string, string, number, number])[] = [
  [
    'rows of bars',
    '[["2026-08-14",1.12558,1.13236,1.12063,1.12814,83750.04],["2026-08-15",1.1282,1.13408,1.12614,1.13287,140125.91]]',
    67,
    67,
  ],
  [
    'rows of closes',
    '["2026-03-01",1.10208,1.29871,3904.215,71250.5,6912.25],["2026-04-01",1.11523,1.30412,3998.77,68900.1,7001.5]',
    66,
    66,
  ],
  [
    'statistics',
    '{"bars":521,"first":{"time":"2025-06-14","open":1.17768},"last":{"time":"2026-11-16","close":1.13999},"return_percent":-3.2,"volatility_percent":9.58,"max_drawdown":{"percent":12.12,"from":"2025-11-24","to":"2026-07-27"}}',
    85,
    84,
  ],
  [
    'a tool',
    '{"name":"get_quotes","description":"Current bid, ask and spread of 1–20 symbols, each with its age and whether it is stale.","inputSchema":{"type":"object","properties":{"symbols":{"type":"array","items":{"type":"string"}}},"required":["symbols"]}}',
    58,
    58,
  ],
  [
    'a headline',
    '{"time":"2026-11-16T10:12Z","headline":"Gold jumps to a record high as investors seek safety from inflation","sentiment":"bullish","score":0.94,"symbols":["XAUUSD"],"source":"Simulated Wire","url":"https://news.example.org/markets/2026/11/16/gold-record-high"}',
    76,
    75,
  ],
  ['a hash', '[[1,"published","a7911d31690cb320f32fa472e1fa33f37ff0482b06b07105d5d2967c10b350fa"]]', 42, 42],
  [
    'prose',
    'Market data, news and verified trading signals. Every answer has the time and age of its data; tell the user if it is stale.',
    28,
    28,
  ],
  [
    'German',
    'Die Europäische Zentralbank lässt die Zinsen unverändert; Anleger erwarten größere Schwankungen am Devisenmarkt.',
    24,
    33,
  ],
  ['Japanese', '日銀は政策金利を据え置き、円相場は一時上昇した。', 23, 27],
  ['Russian', 'Центральный банк сохранил ключевую ставку, рубль укрепился.', 19, 30],
];

describe('the estimate of tokens', () => {
  test.each(MEASURED)('of %s is at least what tokenizers count', (_, text, o200k, cl100k) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(Math.max(o200k, cl100k));
  });

  test('is within half of them for the texts of answers', () => {
    for (const [, text, o200k] of MEASURED.slice(0, 7)) expect(estimateTokens(text)).toBeLessThan(o200k * 1.5);
  });

  test('grows with every part of a text', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a b')).toBe(2);
    expect(estimateTokens('123456')).toBe(3);
    expect(estimateTokens('\n\t')).toBe(1);
  });
});
