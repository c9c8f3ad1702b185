// MetaTrader 4 and 5 exports, UTF-8 or UTF-16, separated by tab or comma:
//   <DATE> <TIME> <BID> <ASK> <LAST> <VOLUME> <FLAGS>                      ticks (5); an empty side has not changed
//   <DATE> <TIME> <OPEN> <HIGH> <LOW> <CLOSE> <TICKVOL> <VOL> <SPREAD>     bars (5); daily ones have no <TIME>
//   2014.05.01,00:00,O,H,L,C,V                                             bars (4), without a header
//   Date,open,high,low,close,tick_volume                                   bars from the Python package
// Times are the broker's server time; the file does not contain its time zone. Days, and bars of four hours, of a server whose
// day ends at 17:00 in New York are stored as such (1d@ny, 4h@ny). Bars are bid bars, volumes count ticks.
import { columnReader } from '../column-reader.ts';
import { columnsOf, requireRowKind, separatorOf } from '../columns.ts';
import { mostLinesMatch } from '../file-sample.ts';
import { ImportError } from '../import-error.ts';
import { parseTimeZone } from '../timezone.ts';
import { type Format, type FormatContext, type RowReader, timeframeOf } from './format.ts';

const ANGLED = /^<DATE>/i;
const PYTHON = /^(date|time)[,;\t]open[,;\t]high[,;\t]low[,;\t]close[,;\t]tick_volume/i;
const HEADERLESS = /^\d{4}\.\d\d\.\d\d[,;\t]\d\d:\d\d(:\d\d)?([,;\t][\d.]+){4,5}\s*$/;
const NAMES = ['date', 'time', 'open', 'high', 'low', 'close', 'volume'];

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  if (!options.timezone) {
    throw new ImportError(
      'timezone_required',
      "its times are in the broker's time zone: specify --timezone (broker if its day ends at 17:00 in New York, as on most servers; or Europe/Athens, or UTC±hh)",
    );
  }
  const first = sample.lines[0] ?? '';
  const separator = separatorOf(first);
  const header = /^[<a-z]/i.test(first) ? 1 : 0;
  const names = header ? first.split(separator) : NAMES;
  const columns = columnsOf(names);
  const kind = requireRowKind(columns, names);
  const layout = { columns, kind, separator, header, basis: 'bid', carryForward: true } as const;
  const zone = parseTimeZone(options.timezone);
  if (kind !== 'bar') return columnReader({ ...layout, zone }, sink);
  return columnReader({ ...layout, zone, timeframe: timeframeOf(context) }, sink);
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
