// The data folder of freqtrade, which stores what ccxt returns: one JSON array in a file per pair.
//   BTC_USDT-5m.json       [ms, open, high, low, close, volume]
//   BTC_USDT-trades.json   [ms, id, type, side, price, amount, cost]
//   futures/BTC_USDT_USDT-5m-futures.json, futures/BTC_USDT_USDT-trades.json   of a perpetual, with the currency of settlement
import { type Bar, type InstrumentSpec, pairOf } from '@tickwire/engine';
import type { TradeTick } from '../../history/tick-stream.ts';
import { ExportError } from '../export-error.ts';
import { PlainText } from '../plain-text.ts';
import type { Batches, Dataset, Layout, Row } from './layout.ts';

/** The lengths of bars that ccxt has names for. */
const INTERVALS = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '1w', '1M'];

export function freqtradeLayout(dataset: Dataset): Layout {
  if (dataset.kind === 'quotes')
    throw new ExportError('freqtrade has no files of quotes: add --kind trades, or choose another --format');
  if (dataset.kind === 'bars') {
    const { interval, chart } = dataset;
    if (!INTERVALS.includes(interval) || chart.align !== 'utc')
      throw new ExportError(
        `freqtrade has bars of ${INTERVALS.join(', ')} of UTC days, but not of ${interval}${chart.align === 'utc' ? '' : `@${chart.align}`}: choose one of them, or another --format`,
      );
  }
  const isBars = dataset.kind === 'bars';
  const isFuture = dataset.instrument.contract !== undefined;
  const name = `${pairName(dataset.instrument)}-${isBars ? dataset.interval : 'trades'}`;
  const path = isFuture ? `futures/${name}${isBars ? '-futures' : ''}.json` : `${name}.json`;
  return {
    omits: isBars ? ['buy and sell volume'] : ['how the side of a trade was found out'],
    *files(from, to) {
      yield { path, from, to, encode: (rows: Batches) => jsonArray(rows, isBars ? writeBar : writeTrade) };
    },
  };
}

/** BTC_USDT; a perpetual is BTC_USDT_USDT; an instrument that is no pair has the currency of its prices: US30_USD. */
export function pairName(instrument: InstrumentSpec): string {
  const { base, quote } = pairOf(instrument);
  const currency = quote ?? 'USD';
  if (instrument.contract === undefined) return named(`${base ?? instrument.symbol}_${currency}`);
  // By its symbol: several perpetuals may follow the same.
  const pair = instrument.symbol.replace(/\.P$/, '');
  return named(`${pair.endsWith(currency) ? pair.slice(0, -currency.length) : pair}_${currency}_${currency}`);
}

const named = (pair: string): string => pair.replace(/[^A-Z0-9_]/g, '');

function writeBar(text: PlainText, row: Row): void {
  const { time, open, high, low, close, volume } = row as Bar;
  text.text('[').number(time);
  text.comma().number(open).comma().number(high).comma().number(low).comma().number(close).comma().size(volume);
  text.text(']');
}

function writeTrade(text: PlainText, row: Row): void {
  const { time, id, side, price, size } = (row as TradeTick).event;
  text
    .text('[')
    .number(time)
    .text(id === undefined ? ',null' : `,"${id}"`);
  text.text(`,null,"${side}",`).number(price).comma().size(size).comma();
  text.size(Number((price * size).toPrecision(12))).text(']');
}

async function* jsonArray(batches: Batches, write: (text: PlainText, row: Row) => void): AsyncGenerator<Uint8Array> {
  const text = new PlainText();
  let separator = '[';
  for await (const rows of batches) {
    for (const row of rows) {
      text.text(separator);
      write(text, row);
      separator = ',';
    }
    if (text.isFull) yield text.take();
  }
  yield text.text(separator === '[' ? '[]' : ']').take();
}
