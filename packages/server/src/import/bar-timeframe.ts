// The length of a file's bars. Most exports do not say it: the smallest step between bars in the beginning of the file
// does, with the file's name as a second witness.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs } from '@tickwire/engine';
import type { FormatContext, RowReader } from './formats/format.ts';
import { ImportError } from './import-error.ts';
import { ImportReport } from './report.ts';
import type { Row } from './row.ts';
import { RowSink } from './row-sink.ts';

const byLength = new Map(TIMEFRAMES.map((timeframe) => [TIMEFRAME_MS[timeframe], timeframe]));
const spoken = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1000} seconds`);

/** The timeframe of a length in milliseconds; another length is refused. */
export function timeframeOfLength(ms: number): Timeframe {
  const timeframe = byLength.get(ms);
  if (timeframe) return timeframe;
  throw new ImportError(
    'unsupported_timeframe',
    `its bars are ${spoken(ms)} long: only ${TIMEFRAMES.join(', ')} are kept`,
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

/** Reads the sample once for its times; `open` makes the format's reader for a sink and a timeframe that does not matter. */
export function timeframeOf(
  { sample, options }: FormatContext,
  open: (sink: RowSink, timeframe: Timeframe) => RowReader,
): Timeframe {
  if (options.timeframe) return options.timeframe;
  const step = smallestStep(sample.bytes, options.digits, open);
  const named = timeframeOfName(sample.name);
  if (step === null) {
    if (named) return named;
    throw new ImportError('timeframe_required', 'the length of its bars cannot be told from so few: give --timeframe');
  }
  // Thin markets leave bars out: a step that is a multiple of the name's length does not contradict it.
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
  const times = sink.take().map((row: Row) => row.time);
  let step = Number.POSITIVE_INFINITY;
  for (let index = 1; index < times.length; index++) {
    const between = times[index]! - times[index - 1]!;
    if (between > 0 && between < step) step = between;
  }
  return step === Number.POSITIVE_INFINITY ? null : step;
}
