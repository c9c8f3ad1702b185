// Chart data exported from TradingView: OANDA_EURUSD, 60.csv · BINANCE_BTCUSDT, 1D_2f1c0.csv
//   time,open,high,low,close,Volume,…   more columns are the plots of indicators
// `time` is the start of the bar, in Unix seconds or ISO 8601 with a zone; daily bars may have only a date. The name ends in
// the interval: minutes, or a number with S, H, D, W or M (months).

import { type BarInterval, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { timeframeOfLength } from '../rows/bar-interval.ts';
import { columnReader } from '../rows/column-reader.ts';
import { columnsOf, requireRowKind } from '../rows/columns.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { parseTimeZone } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const HEADER = /^time,open,high,low,close(,|$)/i;
const NAME = /^([A-Z0-9_]+)_[A-Z0-9.!]+, ?(\d*)([SHDWM]?)(?:_[0-9a-z]+)?(?: ?\(\d+\))?\.csv$/i;
const UNITS: Readonly<Record<string, number>> = { S: 1000, '': MINUTE_MS, H: HOUR_MS, D: DAY_MS, W: 7 * DAY_MS };
/** Brokers, whose charts are made of quotes. */
const BROKERS = /^(OANDA|FX|FX_IDC|FOREXCOM|FXCM|CAPITALCOM|PEPPERSTONE|EIGHTCAP|ICMARKETS|SAXO|BLACKBULL|TVC)$/i;

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const first = sample.lines[0] ?? '';
  const names = first.split(',').map((name) => name.replaceAll('"', ''));
  const columns = columnsOf(names);
  const kind = requireRowKind(columns, names);
  if (kind !== 'bar') {
    throw new ImportError('wrong_columns', 'a TradingView export has the columns time, open, high, low and close');
  }
  const match = NAME.exec(sample.name);
  const basis = options.basis ?? (match && BROKERS.test(match[1]!) ? 'bid' : 'trade');
  const zone = options.timezone ? parseTimeZone(options.timezone) : null;
  const timeframe = options.timeframe ?? (match ? intervalOf(match[2]!, match[3]!) : null) ?? timeframeOf(context);
  return columnReader({ columns, kind, separator: ',', header: 1, basis, zone, timeframe }, sink);
}

function intervalOf(count: string, unit: string): BarInterval {
  const length = UNITS[unit.toUpperCase()];
  if (length !== undefined) return timeframeOfLength(Number(count || 1) * length);
  if (Number(count || 1) === 1) return '1M';
  throw new ImportError(
    'unsupported_timeframe',
    `its name says that the bars are ${count} months: export single months`,
  );
}

export const tradingview: Format = {
  name: 'tradingview',
  title: 'TradingView export',
  detect: ({ lines, name }) => (NAME.test(name) && HEADER.test(lines[0] ?? '') ? 1 : 0),
  rows,
};
