// Dukascopy history as JSON by dukascopy-node: one array of arrays or of objects, on one line or several.
//   ticks [ms, ask, bid, askVolume, bidVolume]   {"timestamp","askPrice","bidPrice","askVolume","bidVolume"}
//   bars  [ms, open, high, low, close, volume]   {"timestamp","open","high","low","close","volume"}
// Volumes are optional and in millions. Bars are bid bars unless the name of the file states another side.

import type { BarInterval } from '@tickwire/engine';
import { latin1Text } from '../files/bytes.ts';
import type { FileSample } from '../files/file-sample.ts';
import { FieldSplitter } from '../rows/field-splitter.ts';
import { JsonRecords } from '../rows/json-records.ts';
import type { RowReader } from '../rows/line-reader.ts';
import type { RowSink } from '../rows/row-sink.ts';
import { NODE_NAME, refuseAskBars } from './dukascopy-csv.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const COMMA = 44;
const ARRAYS = /^\s*\[\s*\[\s*\d{12,13}\s*,\s*[\d.]+\s*,/;
const OBJECTS = /^\s*\[\s*\{\s*"timestamp"\s*:\s*\d{12,13}\s*,/;
const SIX_VALUES = /^\s*\[\s*\[[^,\]]*(,[^,\]]*){5}\]/;
const BAR_KEYS = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];
const TICK_KEYS = ['timestamp', 'askPrice', 'bidPrice', 'askVolume', 'bidVolume'];
/** The prices of a bar differ by less than this factor; prices and volumes differ by more somewhere in a file. */
const MAX_PRICE_RATIO = 1.5;

const headOf = ({ bytes }: FileSample): string => latin1Text(bytes, 0, Math.min(bytes.length, 256));

/** Passes the fields of each record, of either form, in the order of the arrays. */
function records(sink: RowSink | null, handle: (values: readonly number[]) => void): RowReader {
  const fields = new FieldSplitter();
  return new JsonRecords((bytes, start, end, number) => {
    sink?.setLine(bytes, start, end, number);
    const values: number[] = [];
    if (bytes[start] === 0x5b) {
      fields.split(bytes, start + 1, end - 1, COMMA);
      for (let field = 0; field < fields.count; field++) values.push(fields.decimal(field));
      return handle(values);
    }
    let object: Record<string, unknown>;
    try {
      object = JSON.parse(latin1Text(bytes, start, end)) as Record<string, unknown>;
    } catch {
      return sink?.skip('not_json');
    }
    const keys = 'open' in object ? BAR_KEYS : TICK_KEYS;
    for (const key of keys) if (key in object) values.push(typeof object[key] === 'number' ? object[key] : Number.NaN);
    handle(values);
  });
}

function holdsBars(sample: FileSample): boolean {
  if (OBJECTS.test(headOf(sample))) return /"open"/.test(headOf(sample));
  let bars = true;
  records(null, ([, ...values]) => {
    if (values.length === 5) return;
    if (values.length !== 4 || Math.max(...values) > Math.min(...values) * MAX_PRICE_RATIO) bars = false;
  }).chunk(sample.bytes);
  return bars;
}

const barReader = (sink: RowSink, timeframe: BarInterval): RowReader =>
  records(sink, (values) => {
    const [time, open, high, low, close, volume] = values as [number, number, number, number, number, number?];
    if (values.length < 5) return sink.skip('wrong_columns');
    if (volume === 0 && high === low) return sink.flatBar(time, timeframe);
    const prices = { open, high, low, close };
    sink.bar(time, timeframe, 'bid', { ...prices, volume: volume ?? 0 });
  });

function rows(context: FormatContext): RowReader {
  const { sample, sink } = context;
  if (!holdsBars(sample)) {
    return records(sink, (values) => {
      const [time, ask, bid, askVolume = 0, bidVolume = 0] = values as [number, number, number, number?, number?];
      if (values.length < 3) sink.skip('wrong_columns');
      else sink.quote(time, bid, ask, bidVolume, askVolume);
    });
  }
  refuseAskBars(sample.name);
  return barReader(sink, timeframeOf(context));
}

/** ccxt's bars have the same form as these: only a name or a path tells them apart. */
function detect(sample: FileSample): number {
  const head = headOf(sample);
  if (!ARRAYS.test(head) && !OBJECTS.test(head)) return 0;
  const isBarWithVolume = SIX_VALUES.test(head) || (/"open"/.test(head) && /"volume"/.test(head));
  return isBarWithVolume && !/dukascopy/i.test(sample.path) && !NODE_NAME.test(sample.name) ? 0.8 : 1;
}

export const dukascopyJson: Format = { name: 'dukascopy-json', title: 'Dukascopy JSON', detect, rows };
