import { expect, test } from 'bun:test';
import { QUOTE_COLUMNS, SIGNAL_LIST_COLUMNS, SIGNALS_CSV_COLUMNS } from '@tickwire/contract';
import { LINK_KINDS, type LinkKind, linkPath, linkUses } from './data-link-kinds.ts';

const URL = 'https://example.com/link/tw_1_2';
const pathOf = (kind: LinkKind, values: Readonly<Record<string, string>> = {}): string =>
  linkPath(kind, { text: (name) => values[name] ?? '' });
const textFor = (path: string, program: string): string =>
  linkUses(URL, path).find((use) => use.program.startsWith(program))?.text ?? '';

test('each kind reads its path', () => {
  expect(pathOf('quotes', { symbols: ' eurusd, xauusd; BTCUSD ' })).toBe(
    '/api/quotes?symbols=EURUSD,XAUUSD,BTCUSD&format=csv',
  );
  expect(pathOf('quotes')).toBe('/api/quotes?format=csv');
  expect(pathOf('bars', { symbols: 'eurusd', interval: '1d', limit: '250' })).toBe(
    '/api/bars/EURUSD?interval=1d&limit=250&format=csv',
  );
  expect(pathOf('signals', { status: 'closed', symbols: 'XAUUSD' })).toBe(
    '/api/signals?status=closed&symbol=XAUUSD&limit=500&format=csv',
  );
  expect(pathOf('signals', { status: 'active' })).toBe('/api/signals?status=active&limit=500&format=csv');
  expect(pathOf('publisher', { publisher: ' A & B/C ' })).toBe('/api/publishers/A%20%26%20B%2FC/signals.csv');
  expect(pathOf('udf')).toBe('/udf');
  expect(pathOf('path', { path: ' /api/news ' })).toBe('/api/news');
});

test('what is typed as an instrument stays one parameter', () => {
  expect(pathOf('quotes', { symbols: 'EURUSD&detail=true' })).toBe(
    '/api/quotes?symbols=EURUSD%26DETAIL%3DTRUE&format=csv',
  );
  expect(pathOf('bars', { symbols: '../keys?', interval: '1d', limit: '1' })).toStartWith('/api/bars/..%2FKEYS%3F?');
});

test('a table has a formula and a query, a chart its feed, and JSON neither', () => {
  expect(textFor('/api/quotes?format=csv', 'Google')).toBe(`=IMPORTDATA("${URL}")`);
  expect(textFor('/udf', 'TradingView')).toBe(`new Datafeeds.UDFCompatibleDatafeed('${URL}')`);
  expect(linkUses(URL, '/api/quotes')).toEqual([]);
  expect(textFor('/api/bars/EURUSD?interval=1d&format=csv', 'Excel')).toBe(`let
  Source = Csv.Document(Web.Contents("${URL}"), [Delimiter = ",", Encoding = 65001]),
  Rows = Table.PromoteHeaders(Source),
  Typed = Table.TransformColumnTypes(Rows, {{"time", type datetimezone}, {"open", type number}, {"high", type number}, {"low", type number}, {"close", type number}, {"volume", type number}}, "en-US")
in
  Typed`);
  // A table whose columns are not known stays text.
  expect(textFor('/api/bars?symbols=EURUSD&format=csv', 'Excel')).toEndWith('PromoteHeaders(Source)\nin\n  Rows');
});

test('the query types only columns that the table has', () => {
  for (const [path, columns] of [
    ['/api/quotes?format=csv', QUOTE_COLUMNS],
    ['/api/signals?format=csv', SIGNAL_LIST_COLUMNS],
    ['/api/publishers/X/signals.csv', SIGNALS_CSV_COLUMNS],
  ] as const) {
    const typed = [...textFor(path, 'Excel').matchAll(/\{"(\w+)", type/g)].map(([, name]) => name!);
    expect(typed.length).toBeGreaterThan(3);
    expect(typed.filter((name) => !(columns as readonly string[]).includes(name))).toEqual([]);
  }
});

test('kinds have different texts', () => {
  expect(new Set(LINK_KINDS.map(({ text }) => text)).size).toBe(LINK_KINDS.length);
});
