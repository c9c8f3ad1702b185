// The length of bars in the name of a file. Files of `tickwire export` tell their length and alignment in their names.
import {
  type BarAlign,
  type BarInterval,
  chartIntervalName,
  HOUR_MS,
  intervalMs,
  parseAlign,
  parseBarInterval,
  parseChartInterval,
  ZONE_STEP_MS,
} from '@tickwire/engine';

/**
 * XAUUSDh1.csv · EURUSD_M15_2019.csv · eurusd-m1-bid-2019.csv · BTCUSDT-1h-2024-01.csv · EURUSD_Candlestick_1_M_BID.csv
 * M before a number counts minutes, and so does Dukascopy's 1_M. Elsewhere 1M is a month; MN1 always is.
 */
export function timeframeOfName(name: string): BarInterval | null {
  const candle = /_(\d+)_(S|Sec|M|Min|Hour|h|D|Day|W|Week|Month)_/i.exec(name);
  if (candle) {
    if (/^month$/i.test(candle[2]!)) return Number(candle[1]) === 1 ? '1M' : null;
    return parseBarInterval(`${candle[1]}${candle[2]![0]!.toLowerCase()}`);
  }
  const match = /(?:^|[^a-z0-9]|[A-Za-z]{6})(?:(\d{1,3})(mo|min|[smhdw])|(mn|[smhdw])(\d{1,3}))(?=[^a-z0-9]|$)/i.exec(
    name,
  );
  if (!match) return null;
  const count = Number(match[1] ?? match[4]);
  const unit = match[2] ?? match[3]!;
  const isMonth = /^(mn|mo)$/i.test(unit) || (match[2] === 'M' && count === 1);
  if (isMonth) return count === 1 ? '1M' : null;
  return parseBarInterval(`${count}${unit[0]!.toLowerCase()}`);
}

/** EURUSD-1d@ny-2024-03.csv · BTCUSDT-7m-2024-03-01.parquet · EURUSD-1w@Europe.London.ndjson.gz; a point is a slash. */
const EXPORTED_NAME =
  /-([1-9]\d{0,3}[mh]|1d|1w|1M)(?:@([A-Za-z][\w+.-]*?))?(?:-\d{4}(?:-\d\d){0,2})?\.(?:csv|ndjson|parquet)(?:\.gz)?$/;

export interface NamedBars {
  readonly interval: BarInterval;
  readonly align: BarAlign;
}

/**
 * Length and alignment in a name of `tickwire export`, if they need the name to be told: the name has an alignment, or a length
 * that does not divide a day. `null` for other names.
 */
export function exportedBars(name: string): NamedBars | null {
  const [, text = '', mark] = EXPORTED_NAME.exec(name) ?? [];
  const chart = parseChartInterval(text);
  if (!chart) return null;
  const interval = chartIntervalName(chart);
  if (mark === undefined) return parseBarInterval(text) ? null : { interval, align: 'utc' };
  const align = parseAlign(mark.replaceAll('.', '/'));
  if (align === null) return null;
  const step = align === 'ny' ? HOUR_MS : ZONE_STEP_MS;
  return { interval, align: step % intervalMs(interval) === 0 ? 'utc' : align };
}
