// Dukascopy's CSV, of its web export and JForex and of dukascopy-node:
//   Gmt time,Ask,Bid,AskVolume,BidVolume    04.02.2019 00:00:00.994,…     (Time (UTC), Time (EET) in JForex)
//   Local time,Open,High,Low,Close,Volume   04.02.2019 00:00:00.000 GMT+0200,…
//   timestamp,askPrice,bidPrice,askVolume,bidVolume   1549238400994,…     (dukascopy-node)
// Without a header the same columns in the same order, but then it could be anybody's file.
// The ask stands before the bid; volumes are in millions. Minutes without ticks are filled with flat bars of volume 0.
import { timeframeOf } from '../bar-timeframe.ts';
import { columnReader } from '../column-rows.ts';
import { columnsOf, requireKind } from '../columns.ts';
import { ImportError } from '../import-error.ts';
import { UTC, type Zone, zoneOf } from '../zone.ts';
import type { Format, FormatContext, RowReader } from './format.ts';

const PLATFORM = /^"?(gmt time|local time|time \((utc|gmt|eet)\))"?,/i;
const NODE_TICKS = /^timestamp,askPrice,bidPrice/i;
const NODE_BARS = /^timestamp,open,high,low,close/i;
const NAMELESS = /^\d{12,13}(,[\d.]+){4,5}\s*$/;
const TICKS = ['timestamp', 'askPrice', 'bidPrice', 'askVolume', 'bidVolume'];
const BARS = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];
const NODE_NAME = /-(tick|s1|m\d+|h\d+|d1|mn1)-(bid|ask)-\d{4}-\d\d-\d\d/i;

/** The ask's own bars would mix with the bid's, which every bar here is made of. */
export function refuseAskBars(name: string): void {
  if (/(^|[-_.])ask([-_.]|$)/i.test(name)) {
    throw new ImportError('ask_bars', 'it holds bars of the ask: bars are kept of the bid, so export that side');
  }
}

/** Where the header names the zone, it is the file's own word and no option overrules it. */
function zoneFor(header: string, timezone: string | undefined): Zone | null {
  if (/^"?local time/i.test(header)) return timezone ? zoneOf(timezone) : null;
  // JForex' EET keeps the summer time of eastern Europe.
  return /\(eet\)/i.test(header) ? zoneOf('Europe/Helsinki') : UTC;
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const first = sample.lines[0] ?? '';
  const header = NAMELESS.test(first) ? 0 : 1;
  const names = header ? first.split(',') : first.split(',').length === 6 ? BARS : TICKS;
  const columns = columnsOf(names);
  const kind = requireKind(columns, names);
  const layout = { columns, kind, separator: ',', header, basis: 'bid', dropFlat: true } as const;
  const zone = () => zoneFor(first, options.timezone);
  if (kind !== 'bar') return columnReader({ ...layout, zone: zone() }, sink);
  refuseAskBars(sample.name);
  const timeframe = timeframeOf(context, (scratch, assumed) =>
    columnReader({ ...layout, zone: zone(), timeframe: assumed }, scratch),
  );
  return columnReader({ ...layout, zone: zone(), timeframe }, sink);
}

export const dukascopyCsv: Format = {
  name: 'dukascopy-csv',
  title: 'Dukascopy CSV',
  detect: ({ lines, name }) => {
    const first = lines[0] ?? '';
    if (PLATFORM.test(first) || NODE_TICKS.test(first)) return 1;
    if (NODE_NAME.test(name) && (NODE_BARS.test(first) || NAMELESS.test(first))) return 0.9;
    return NAMELESS.test(first) ? 0.5 : 0;
  },
  rows,
};
