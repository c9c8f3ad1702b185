// Dukascopy CSV, from the web export, JForex or dukascopy-node:
//   Gmt time,Ask,Bid,AskVolume,BidVolume    04.02.2019 00:00:00.994,…     (Time (UTC), Time (EET) in JForex)
//   Local time,Open,High,Low,Close,Volume   04.02.2019 00:00:00.000 GMT+0200,…
//   timestamp,askPrice,bidPrice,askVolume,bidVolume   1549238400994,…     (dukascopy-node)
// Without a header the columns are the same, but the file could then be from anywhere.
// The ask precedes the bid; volumes are in millions. Minutes without ticks are filled with flat bars of volume 0.

import { ImportError } from '../import-error.ts';
import { columnReader } from '../rows/column-reader.ts';
import { columnsOf, requireRowKind } from '../rows/columns.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { parseTimeZone, type TimeZone, UTC } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const PLATFORM = /^"?(gmt time|local time|time \((utc|gmt|eet)\))"?,/i;
const NODE_TICKS = /^timestamp,askPrice,bidPrice/i;
const NODE_BARS = /^timestamp,open,high,low,close/i;
const HEADERLESS = /^\d{12,13}(,[\d.]+){4,5}\s*$/;
const TICKS = ['timestamp', 'askPrice', 'bidPrice', 'askVolume', 'bidVolume'];
const BARS = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];
/** The names that dukascopy-node gives its files. */
export const NODE_NAME = /-(tick|s1|m\d+|h\d+|d1|mn1)-(bid|ask)-\d{4}-\d\d-\d\d/i;

/** All bars are bid bars; ask bars must not mix with them. */
export function refuseAskBars(name: string): void {
  if (/(^|[-_.])ask([-_.]|$)/i.test(name)) {
    throw new ImportError(
      'ask_bars',
      'its name says that it has ask bars, but bars are made of bid prices: export the bid side, or rename it if it has',
    );
  }
}

/** If the header names the zone, it takes precedence over the option. */
function zoneFor(header: string, timezone: string | undefined): TimeZone | null {
  if (/^"?local time/i.test(header)) return timezone ? parseTimeZone(timezone) : null;
  // EET in JForex includes daylight saving time.
  return /\(eet\)/i.test(header) ? parseTimeZone('Europe/Helsinki') : UTC;
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const first = sample.lines[0] ?? '';
  const header = HEADERLESS.test(first) ? 0 : 1;
  const names = header ? first.split(',') : first.split(',').length === 6 ? BARS : TICKS;
  const columns = columnsOf(names);
  const kind = requireRowKind(columns, names);
  const zone = zoneFor(first, options.timezone);
  if (kind === 'bar') refuseAskBars(sample.name);
  const layout = { columns, kind, separator: ',', header, zone, timeframe: timeframeOf(context) };
  return columnReader({ ...layout, basis: 'bid', dropFlat: true }, sink);
}

export const dukascopyCsv: Format = {
  name: 'dukascopy-csv',
  title: 'Dukascopy CSV',
  detect: ({ lines, name }) => {
    const first = lines[0] ?? '';
    if (PLATFORM.test(first) || NODE_TICKS.test(first)) return 1;
    if (NODE_NAME.test(name) && (NODE_BARS.test(first) || HEADERLESS.test(first))) return 0.9;
    return HEADERLESS.test(first) ? 0.5 : 0;
  },
  rows,
};
