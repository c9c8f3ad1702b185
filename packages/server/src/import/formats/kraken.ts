// Kraken's downloadable history, CSV without a header, one file per pair and interval. Times are Unix seconds:
//   XBTUSD_60.csv   time, open, high, low, close, volume, number of trades ("OHLCVT"); the name ends in the minutes of a bar
//   XBTUSD.csv      time, price, volume ("time and sales"); recognised only if the path contains "kraken"
// Intervals without trades have no row. Kraken writes XBT for BTC and XDG for DOGE.

import { MINUTE_MS } from '@tickwire/engine';
import { type FileSample, mostLinesMatch } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { timeframeOfLength } from '../rows/bar-interval.ts';
import { columnReader } from '../rows/column-reader.ts';
import { columnsOf } from '../rows/columns.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { UTC } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const BARS = /^\d{9,10}(,[\d.]+(e[+-]?\d+)?){5},\d+$/i;
const TRADES = /^\d{9,10}(\.\d+)?(,[\d.]+(e[+-]?\d+)?){2}$/i;
const BARS_NAME = /^([A-Z0-9.]{5,})_(\d{1,4})\.csv$/i;
const BAR_NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'];
const TRADE_NAMES = ['time', 'price', 'size'];

const common = (pair: string): string => pair.toUpperCase().replaceAll('XBT', 'BTC').replaceAll('XDG', 'DOGE');

/** Kraken's zip has all pairs and intervals: one must not be stored as another. */
function requirePair(pair: string, symbol: string): void {
  if (common(pair) === common(symbol).replace(/[^A-Z0-9.]/g, '')) return;
  throw new ImportError(
    'wrong_columns',
    `its name says that it has the pair ${pair.toUpperCase()}, not ${symbol}: import only files of that pair (unpack them from the zip), or rename the file`,
  );
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const layout = { separator: ',', header: 0, zone: UTC, basis: 'trade' } as const;
  if (mostLinesMatch(sample.lines, TRADES)) {
    return columnReader({ ...layout, columns: columnsOf(TRADE_NAMES), kind: 'trade' }, sink);
  }
  const named = BARS_NAME.exec(sample.name);
  if (named) requirePair(named[1]!, options.symbol);
  const bars = { ...layout, columns: columnsOf(BAR_NAMES), kind: 'bar' } as const;
  const timeframe =
    options.timeframe ?? (named ? timeframeOfLength(Number(named[2]) * MINUTE_MS) : timeframeOf(context));
  return columnReader({ ...bars, timeframe }, sink);
}

function detect({ lines, name, path }: FileSample): number {
  if (mostLinesMatch(lines, BARS)) return BARS_NAME.test(name) ? 1 : 0.8;
  return /kraken/i.test(path) && mostLinesMatch(lines, TRADES) ? 0.9 : 0;
}

export const kraken: Format = { name: 'kraken', title: 'Kraken OHLCVT or trades', isHeaderless: true, detect, rows };
