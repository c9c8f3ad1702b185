// JSON of ccxt (https://docs.ccxt.com) and of freqtrade, which stores what ccxt returns: one array of arrays or objects.
//   bars    [ms, open, high, low, close, volume]        {"timestamp","open","high","low","close","volume"}
//   trades  [ms, id, type, side, price, amount, cost]   {"timestamp","id","side","price","amount","symbol",…}
// freqtrade names its files BTC_USDT-5m.json and BTC_USDT-trades.json. Bars are of trades, unless an option
// states that they are of bid prices. Some exchanges fill an interval without trades with a flat bar of volume 0.

import type { BarBasis, BarInterval } from '@tickwire/engine';
import { latin1Text } from '../files/bytes.ts';
import type { FileSample } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { JsonRecords } from '../rows/json-records.ts';
import type { RowReader } from '../rows/line-reader.ts';
import type { RowSink } from '../rows/row-sink.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const TIME = '\\s*\\d{12,13}\\s*';
const NUMBER = '\\s*-?[\\d.]+(?:e[+-]?\\d+)?\\s*';
const BAR_ARRAYS = new RegExp(`^\\s*\\[\\s*\\[${TIME}(,${NUMBER}){5}\\]`, 'i');
const TRADE_ARRAYS = new RegExp(
  `^\\s*\\[\\s*\\[${TIME},\\s*("[^"]*"|null|\\d+)\\s*,[^,]*,\\s*("(buy|sell)"|null)\\s*,`,
  'i',
);
const OBJECTS = /^\s*\[\s*\{/;
const HAS_TIME = /"timestamp"\s*:\s*\d{12,13}\b/;
const BAR_KEYS = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const;
const TRADE_KEYS = ['timestamp', 'id', 'type', 'side', 'price', 'amount'] as const;
/** BTC_USDT-5m.json · BTC_USDT_USDT-1h-futures.json · BTC_USDT-trades.json.gz */
const FREQTRADE_NAME = /^[A-Z0-9]+_[A-Z0-9]+(?:_[A-Z0-9]+)?-(?:\d+[smhdwM]|trades)(?:-[a-z_]+)?\.json/;
const OTHER_PRICES = /-(mark|funding_rate|index|premiumIndex)\.json/i;

const headOf = ({ bytes }: FileSample): string => latin1Text(bytes, 0, Math.min(bytes.length, 4096));
const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
const sideOf = (value: unknown) => (value === 'buy' || value === 'sell' ? value : null);
const plain = (symbol: string): string =>
  symbol
    .toUpperCase()
    .replace(/:.*$/, '')
    .replace(/[^A-Z0-9]/g, '');

/** Passes the values of each record, of either form, in the order of the arrays. */
const records = (sink: RowSink, symbol: string, handle: (values: readonly unknown[]) => void): RowReader =>
  new JsonRecords((bytes, start, end, number) => {
    sink.setLine(bytes, start, end, number);
    let record: unknown[] | Record<string, unknown>;
    try {
      record = JSON.parse(latin1Text(bytes, start, end)) as typeof record;
    } catch {
      return sink.skip('not_json');
    }
    if (Array.isArray(record)) return handle(record);
    if (typeof record.symbol === 'string' && plain(record.symbol) !== plain(symbol)) return sink.skip('unknown_symbol');
    handle(('open' in record ? BAR_KEYS : TRADE_KEYS).map((key) => (record as Record<string, unknown>)[key]));
  });

function bars(sink: RowSink, symbol: string, timeframe: BarInterval, basis: BarBasis): RowReader {
  return records(sink, symbol, (values) => {
    if (values.length < 6) return sink.skip('wrong_columns');
    const [time, open, high, low, close, volume] = values.map(numberOf) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    if (volume === 0 && high === low && basis === 'trade') return sink.flatBar(time, timeframe);
    const draft = { open, high, low, close, volume };
    sink.bar(time, timeframe, basis, draft);
  });
}

function trades(sink: RowSink, symbol: string): RowReader {
  return records(sink, symbol, (values) => {
    if (values.length < 6) return sink.skip('wrong_columns');
    const [time, id, , side, price, amount] = values;
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
    sink.trade(
      numberOf(time),
      numberOf(price),
      numberOf(amount),
      sideOf(side),
      Number.isSafeInteger(number) ? (number as number) : null,
    );
  });
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const other = OTHER_PRICES.exec(sample.name)?.[1];
  if (other) {
    throw new ImportError(
      'wrong_columns',
      `the file has ${other.replace('_', ' ')} values, which are no traded prices: import the file without -${other} in its name`,
    );
  }
  const head = headOf(sample);
  if (TRADE_ARRAYS.test(head) || (OBJECTS.test(head) && !/"open"\s*:/.test(head))) return trades(sink, options.symbol);
  return bars(sink, options.symbol, timeframeOf(context), options.basis ?? 'trade');
}

/** Dukascopy's JSON has bars of the same form: only a name or a path tells them apart. */
function detect(sample: FileSample): number {
  const head = headOf(sample);
  if (TRADE_ARRAYS.test(head)) return 1;
  const objects = OBJECTS.test(head) && HAS_TIME.test(head);
  if (objects && /"price"\s*:/.test(head) && /"amount"\s*:/.test(head)) return 1;
  if (!BAR_ARRAYS.test(head) && !(objects && /"open"\s*:/.test(head) && /"volume"\s*:/.test(head))) return 0;
  return FREQTRADE_NAME.test(sample.name) || /ccxt|freqtrade/i.test(sample.path) ? 1 : 0.8;
}

export const ccxt: Format = { name: 'ccxt', title: 'ccxt or freqtrade JSON', detect, rows };
