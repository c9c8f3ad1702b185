// History files of MetaTrader 4 (history/<server>/EURUSD60.hst), little-endian. A header of 148 bytes:
//   int32 version · char[64] copyright · char[12] symbol · int32 period (minutes) · int32 digits · … unused
// then bars:
//   version 400, 44 bytes: int32 time · double open · low · high · close · volume
//   version 401, 60 bytes: int64 time · double open · high · low · close · int64 tick volume · int32 spread · int64 volume
// Times are seconds in the broker's server time; the file does not contain its zone. Bars are bid bars, volumes count ticks.

import { MINUTE_MS } from '@tickwire/engine';
import { concatBytes } from '../files/bytes.ts';
import type { FileSample } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { timeframeOfLength } from '../rows/bar-interval.ts';
import type { RowReader } from '../rows/line-reader.ts';
import type { BarDraft } from '../rows/row-sink.ts';
import { requireServerZone } from '../rows/timezone.ts';
import type { Format, FormatContext } from './format.ts';

const HEADER_BYTES = 148;
const PERIOD_AT = 80;
const DIGITS_AT = 84;
const MAX_DIGITS = 8;
const RECORD_BYTES: Readonly<Record<number, number>> = { 400: 44, 401: 60 };

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const versionOf = ({ bytes }: FileSample): number => (bytes.length >= 4 ? viewOf(bytes).getInt32(0, true) : 0);

function bar400(view: DataView, at: number): [seconds: number, BarDraft] {
  const value = (field: number): number => view.getFloat64(at + 4 + 8 * field, true);
  const prices = { open: value(0), low: value(1), high: value(2), close: value(3) };
  return [view.getInt32(at, true), { ...prices, volume: value(4) }];
}

function bar401(view: DataView, at: number): [seconds: number, BarDraft] {
  const value = (field: number): number => view.getFloat64(at + 8 * field, true);
  const prices = { open: value(1), high: value(2), low: value(3), close: value(4) };
  const volume = Number(view.getBigInt64(at + 40, true));
  return [Number(view.getBigInt64(at, true)), { ...prices, volume }];
}

function rows({ sample, options, sink }: FormatContext): RowReader {
  const version = versionOf(sample);
  const length = RECORD_BYTES[version];
  if (!length || sample.bytes.length < HEADER_BYTES) {
    throw new ImportError('unknown_format', 'this is not an .hst file of version 400 or 401: its header is missing');
  }
  const zone = requireServerZone(options.timezone);
  sink.times.zone = zone;
  const timeframe = options.timeframe ?? timeframeOfLength(viewOf(sample.bytes).getInt32(PERIOD_AT, true) * MINUTE_MS);
  const digits = viewOf(sample.bytes).getInt32(DIGITS_AT, true);
  if (digits >= 0 && digits <= MAX_DIGITS) sink.stateDigits(digits);
  const barAt = version === 400 ? bar400 : bar401;
  let rest: Uint8Array = new Uint8Array(0);
  let header = HEADER_BYTES;
  let record = 0;
  return {
    chunk: (bytes) => {
      rest = concatBytes(rest, bytes);
      const view = viewOf(rest);
      let at = header;
      for (; at + length <= rest.length; at += length) {
        sink.setLine(rest, at, at, ++record);
        const [seconds, bar] = barAt(view, at);
        sink.bar(zone.toUtc(seconds * 1000, true), timeframe, 'bid', bar);
      }
      header = Math.max(0, at - rest.length);
      rest = rest.slice(at);
    },
    end: () => {
      if (rest.length === 0) return;
      sink.setLine(rest, 0, 0, record + 1);
      sink.skip('cut_record');
    },
  };
}

export const hst: Format = {
  name: 'hst',
  title: 'MetaTrader 4 history (.hst)',
  detect: (sample) => {
    if (!RECORD_BYTES[versionOf(sample)]) return 0;
    return /\.hst$/i.test(sample.name) || sample.bytes.length >= HEADER_BYTES ? 1 : 0;
  },
  rows,
};
