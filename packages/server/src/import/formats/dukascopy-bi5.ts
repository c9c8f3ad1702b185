// Dukascopy's raw files, one per hour: LZMA over big-endian records of 20 bytes:
//   uint32 ms since the hour · uint32 ask · uint32 bid · float32 ask volume · float32 bid volume (millions)
// and candles of 24 bytes: uint32 seconds since the start of the period · open · close · low · high · float32 volume.
// Prices are integers in points of the instrument (digits: 5 for EURUSD, 3 for USDJPY and XAUUSD). Only the path contains the
// hour: EURUSD/2019/01/04/00h_ticks.bi5, with months from 00, so 01 is February. An empty file is an hour without ticks.

import type { Timeframe } from '@tickwire/contract';
import { DAY_MS, daysSinceEpoch, HOUR_MS } from '@tickwire/engine';
import { concatBytes } from '../files/bytes.ts';
import { unlzma } from '../files/lzma.ts';
import { ImportError } from '../import-error.ts';
import type { RowReader } from '../rows/line-reader.ts';
import type { RowSink } from '../rows/row-sink.ts';
import { refuseAskBars } from './dukascopy-csv.ts';
import type { Format, FormatContext } from './format.ts';

const TICK_BYTES = 20;
const CANDLE_BYTES = 24;
/** The busiest hours have about ten thousand ticks: a quarter of a megabyte. */
const MAX_COMPRESSED_BYTES = 8 << 20;
const MAX_BYTES = 32 << 20;

const TICKS_PATH = /(\d{4})[/_-](\d{2})[/_-](\d{2})[/_-](\d{2})h_ticks\.bi5$/i;
const CANDLES_PATH = /(\d{4})(?:[/_-](\d{2}))?(?:[/_-](\d{2}))?[/_-](?:BID|ASK)_candles_(min|hour|day)_1\.bi5$/i;
const CANDLES_NAME = /candles_(min|hour|day)_1\.bi5$/i;
const TIMEFRAMES: Readonly<Record<string, Timeframe>> = { min: '1m', hour: '1h', day: '1d' };

function startOf({ sample, options }: FormatContext): number {
  if (options.start !== undefined) return options.start;
  const match = TICKS_PATH.exec(sample.path) ?? CANDLES_PATH.exec(sample.path);
  if (!match) {
    throw new ImportError(
      'start_required',
      'its times are relative to an hour that is missing in its path (…/2019/01/04/00h_ticks.bi5): specify --start, for example 2019-02-04T00:00:00Z',
    );
  }
  const [, year, month = '00', day = '01', hour] = match;
  const hours = TICKS_PATH.test(sample.path) ? Number(hour) : 0;
  return daysSinceEpoch(Number(year), Number(month) + 1, Number(day)) * DAY_MS + hours * HOUR_MS;
}

/** A 32-bit float as the decimal it was made from: only seven digits are significant. */
function roundFloat32(value: number): number {
  if (!(value >= 1e-9 && value < 1e6)) return value;
  const unit = 10 ** (6 - Math.floor(Math.log10(value)));
  return Math.round(value * unit) / unit;
}

function ticks(sink: RowSink, bytes: Uint8Array, start: number, scale: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + TICK_BYTES <= bytes.length; at += TICK_BYTES) {
    sink.setLine(bytes, at, at, at / TICK_BYTES + 1);
    const ask = view.getUint32(at + 4) / scale;
    const bid = view.getUint32(at + 8) / scale;
    sink.quote(
      start + view.getUint32(at),
      bid,
      ask,
      roundFloat32(view.getFloat32(at + 16)),
      roundFloat32(view.getFloat32(at + 12)),
    );
  }
}

function candles(sink: RowSink, bytes: Uint8Array, start: number, scale: number, timeframe: Timeframe): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + CANDLE_BYTES <= bytes.length; at += CANDLE_BYTES) {
    sink.setLine(bytes, at, at, at / CANDLE_BYTES + 1);
    const price = (field: number): number => view.getUint32(at + 4 * field) / scale;
    const volume = roundFloat32(view.getFloat32(at + 20));
    if (volume === 0 && price(3) === price(4)) sink.skip('flat_bar');
    else {
      const prices = { open: price(1), high: price(4), low: price(3), close: price(2) };
      const time = start + view.getUint32(at) * 1000;
      sink.bar(time, timeframe, 'bid', { ...prices, volume });
    }
  }
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const start = startOf(context);
  const candle = CANDLES_NAME.exec(sample.name);
  if (candle) refuseAskBars(sample.name);
  // With `pointDigits`, the sink converts the raw numbers itself.
  const scale = options.pointDigits === undefined ? 10 ** options.digits : 1;
  let compressed = new Uint8Array(0);
  return {
    chunk: (bytes) => {
      if (compressed.length + bytes.length > MAX_COMPRESSED_BYTES) {
        throw new ImportError('archive_too_large', 'the file is too large for an hour of ticks');
      }
      compressed = concatBytes(compressed, bytes) as Uint8Array<ArrayBuffer>;
    },
    end: () => {
      if (compressed.length === 0) return;
      const bytes = unlzma(compressed, MAX_BYTES);
      const length = candle ? CANDLE_BYTES : TICK_BYTES;
      if (candle) candles(sink, bytes, start, scale, TIMEFRAMES[candle[1]!.toLowerCase()]!);
      else ticks(sink, bytes, start, scale);
      if (bytes.length % length === 0) return;
      sink.setLine(bytes, 0, 0, Math.ceil(bytes.length / length));
      sink.skip('cut_record');
    },
  };
}

export const dukascopyBi5: Format = {
  name: 'dukascopy-bi5',
  title: 'Dukascopy .bi5',
  detect: ({ name, bytes }) => {
    if (/\.bi5$/i.test(name)) return 1;
    // LZMA's usual properties, then the low bytes of a dictionary size that is a power of two.
    return bytes[0] === 0x5d && bytes[1] === 0 && bytes[2] === 0 ? 0.6 : 0;
  },
  rows,
};
