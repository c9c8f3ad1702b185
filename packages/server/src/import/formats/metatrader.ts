// MetaTrader 4 and 5 exports, UTF-8 or UTF-16, separated by tab or comma:
//   <DATE> <TIME> <BID> <ASK> <LAST> <VOLUME> <FLAGS>                      ticks (5); an empty side has not changed
//   <DATE> <TIME> <OPEN> <HIGH> <LOW> <CLOSE> <TICKVOL> <VOL> <SPREAD>     bars (5); daily ones have no <TIME>
//   2014.05.01,00:00,O,H,L,C,V                                             bars (4), without a header
//   Date,open,high,low,close,tick_volume                                   bars from the Python package, maybe after its index
//   time,bid,ask,last,volume,time_msc,flags                                ticks from the Python package
// Times are the broker's server time, also Unix times of the Python package; the file does not contain its time zone. Days, and bars of four hours, of a server whose
// day ends at 17:00 in New York are stored as such (1d@ny, 4h@ny). Bars are bid bars, volumes count ticks.

import { mostLinesMatch } from '../files/file-sample.ts';
import { columnReader } from '../rows/column-reader.ts';
import { columnsOf, requireRowKind, separatorOf } from '../rows/columns.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { requireServerZone } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const ANGLED = /^<DATE>/i;
const PYTHON =
  /^\W?(date|time)[,;\t](open[,;\t]high[,;\t]low[,;\t]close[,;\t]tick_volume|bid[,;\t]ask[,;\t]last[,;\t]volume[,;\t]time_msc)/i;
const HEADERLESS = /^\d{4}\.\d\d\.\d\d[,;\t]\d\d:\d\d(:\d\d)?([,;\t][\d.]+){4,5}\s*$/;
const NAMES = ['date', 'time', 'open', 'high', 'low', 'close', 'volume'];

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const zone = requireServerZone(options.timezone);
  const first = sample.lines[0] ?? '';
  const separator = separatorOf(first);
  const header = /^[<a-z,;\t]/i.test(first) ? 1 : 0;
  const names = header ? first.split(separator) : NAMES;
  const columns = columnsOf(names);
  const kind = requireRowKind(columns, names);
  const layout = { columns, kind, separator, header, zone, timeframe: timeframeOf(context) };
  return columnReader({ ...layout, basis: 'bid', carryForward: true, hasServerTimes: true }, sink);
}

export const metatrader: Format = {
  name: 'metatrader',
  title: 'MetaTrader 4 or 5 export',
  detect: ({ lines }) => {
    const first = lines[0] ?? '';
    if (ANGLED.test(first)) return 1;
    if (PYTHON.test(first)) return 0.9;
    return mostLinesMatch(lines, HEADERLESS) ? 0.8 : 0;
  },
  rows,
};
