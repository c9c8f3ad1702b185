// The timeframe of a file's bars. Most exports do not state it, so it is derived from the smallest step between bars at the
// start of the file, confirmed by the file's name.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, MINUTE_MS } from '@tickwire/engine';
import type { FormatContext, RowReader } from './formats/format.ts';
import { ImportError } from './import-error.ts';
import { ImportReport } from './import-report.ts';
import type { ImportRow } from './import-row.ts';
import { RowSink } from './row-sink.ts';

const byLength = new Map(TIMEFRAMES.map((timeframe) => [TIMEFRAME_MS[timeframe], timeframe]));
const durationText = (ms: number): string =>
  ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS} minutes` : `${ms / 1000} seconds`;

/** The timeframe of a length in milliseconds. Throws if there is none. */
export function timeframeOfLength(ms: number): Timeframe {
  const timeframe = byLength.get(ms);
  if (timeframe) return timeframe;
  throw new ImportError(
    'unsupported_timeframe',
    `the bars are ${durationText(ms)} long; supported timeframes: ${TIMEFRAMES.join(', ')}`,
  );
}

/** XAUUSDh1.csv · EURUSD_M15_2019.csv · eurusd-m1-bid-2019.csv · BTCUSDT-1h-2024-01.csv · EURUSD_Candlestick_1_M_BID.csv */
export function timeframeOfName(name: string): Timeframe | null {
  const candle = /_(\d+)_(M|Hour|h|D|Day)_/i.exec(name);
  if (candle) return known(`${candle[1]}${candle[2]![0]!.toLowerCase()}`);
  const match = /(?:^|[^a-z0-9]|[A-Za-z]{6})(?:(\d{1,2})([mhd])|([mhd])(\d{1,2}))(?=[^a-z0-9]|$)/i.exec(name);
  return match ? known(`${match[1] ?? match[4]}${(match[2] ?? match[3])!.toLowerCase()}`) : null;
}

function known(text: string): Timeframe | null {
  return (TIMEFRAMES as readonly string[]).includes(text) ? (text as Timeframe) : null;
}

/** Reads the sample once for its times; `open` creates the format's reader for a sink and an assumed timeframe. */
export function timeframeOf(
  { sample, options }: FormatContext,
  open: (sink: RowSink, timeframe: Timeframe) => RowReader,
): Timeframe {
  if (options.timeframe) return options.timeframe;
  const step = smallestStep(sample.bytes, options.digits, open);
  const named = timeframeOfName(sample.name);
  if (step === null) {
    if (named) return named;
    throw new ImportError('timeframe_required', 'too few bars to determine their timeframe: specify --timeframe');
  }
  // Thin markets leave bars out: a step that is a multiple of the named timeframe does not contradict it.
  if (named && step % TIMEFRAME_MS[named] === 0) return named;
  return timeframeOfLength(step);
}

function smallestStep(
  bytes: Uint8Array,
  digits: number,
  open: (sink: RowSink, timeframe: Timeframe) => RowReader,
): number | null {
  const options = { digits, finer: 'round', notAfter: asEpochMs(Number.MAX_SAFE_INTEGER) } as const;
  const sink = new RowSink('', new ImportReport('always'), options);
  open(sink, '1m').chunk(bytes);
  const times = sink.take().map((row: ImportRow) => row.time);
  let step = Number.POSITIVE_INFINITY;
  for (let index = 1; index < times.length; index++) {
    const between = times[index]! - times[index - 1]!;
    if (between > 0 && between < step) step = between;
  }
  return step === Number.POSITIVE_INFINITY ? null : step;
}
