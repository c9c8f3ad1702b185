// CryptoDataDownload.com: bars of crypto venues, newest first, with the address of the site in the first line:
//   https://www.CryptoDataDownload.com
//   Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount
// Unix is in seconds or milliseconds, Date is UTC. Volume is that of the base currency; the order of the two columns varies.

import { ImportError } from '../import-error.ts';
import { columnReader } from '../rows/column-reader.ts';
import { columnsOf, requireRowKind } from '../rows/columns.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { UTC } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const TITLE = /cryptodatadownload\.com/i;
const HEADER_LINES = 2;
const plain = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]/g, '');

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const header = (sample.lines[1] ?? '').split(',').map((name) => name.trim());
  const example = (sample.lines[2] ?? '').split(',');
  const find = (pattern: RegExp): number => header.findIndex((name) => pattern.test(name));
  const symbol = example[find(/^symbol$/i)] ?? '';
  if (symbol !== '' && plain(symbol) !== plain(options.symbol)) {
    throw new ImportError(
      'wrong_columns',
      `the file has ${symbol}, not ${options.symbol}: specify --symbol ${plain(symbol)}`,
    );
  }
  const time = find(/^unix( timestamp)?$/i);
  if (time < 0 && /\d-[AP]M/i.test(example[find(/^date$/i)] ?? '')) {
    throw new ImportError(
      'wrong_columns',
      'its dates have the old form 2020-11-01 11-PM: download the file again; newer ones have a column Unix',
    );
  }
  const names = header.map((name, index) => {
    if (index === time) return 'time';
    return /^symbol$/i.test(name) || (time >= 0 && /^date$/i.test(name)) ? '' : name;
  });
  const columns = columnsOf(names, symbol || options.symbol);
  const kind = requireRowKind(columns, header);
  const layout = { columns, kind, separator: ',', header: HEADER_LINES, zone: UTC, timeframe: timeframeOf(context) };
  return columnReader({ ...layout, basis: 'trade', dropFlat: true }, sink);
}

export const cryptoDataDownload: Format = {
  name: 'cryptodatadownload',
  title: 'CryptoDataDownload',
  detect: ({ lines }) => (TITLE.test(lines[0] ?? '') && /open,high,low,close/i.test(lines[1] ?? '') ? 1 : 0),
  rows,
};
