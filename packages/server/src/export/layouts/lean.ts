// The data folder of QuantConnect Lean: zips with one CSV without a header. import/formats/lean.ts describes the files.
//   forex/oanda/minute/eurusd/20140501_quote.zip          of one day, as tick/ and minute/ have them
//   crypto/binance/hour/btcusdt_trade.zip                 of all years, as hour/ and daily/ have them
//   cryptofuture/binance/minute/btcusdt/20140501_trade.zip   of a perpetual, whose entries end with _perp.csv
// Quote bars have the bid prices and no ask: the service keeps no ask bars. Lean's own files leave a side without quotes empty.

import { iso } from '@tickwire/contract';
import { type Bar, DAY_MS, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import type { QuoteTick, TradeTick } from '../../history/tick-stream.ts';
import { ExportError } from '../export-error.ts';
import { periodsOf } from '../partition.ts';
import { PlainText } from '../plain-text.ts';
import { zipOfOne } from '../zip-stream.ts';
import type { Batches, Dataset, Layout, OutputFile, Row } from './layout.ts';

/** Markets whose times are not UTC: New York without daylight saving time. */
const OFFSETS: Readonly<Record<string, number>> = { fxcm: -5 * HOUR_MS };
/** Folders of Lean, whose markets the import knows. */
const MARKETS: Readonly<Record<SecurityType, readonly string[]>> = {
  forex: ['oanda', 'fxcm'],
  cfd: ['oanda', 'fxcm'],
  cryptofuture: ['binance', 'bybit', 'dydx', 'okx'],
  crypto: ['binance', 'binanceus', 'bitfinex', 'bybit', 'coinbase', 'dydx', 'gdax', 'kraken', 'okx'],
};
const RESOLUTIONS: Readonly<Record<string, 'minute' | 'hour' | 'daily'>> = {
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'daily',
};

type SecurityType = 'forex' | 'cfd' | 'crypto' | 'cryptofuture';
type TickType = 'quote' | 'trade';

const SECURITY_TYPES: Readonly<Partial<Record<InstrumentSpec['type'], SecurityType>>> = {
  forex: 'forex',
  metal: 'cfd',
  index: 'cfd',
  energy: 'cfd',
  crypto: 'crypto',
};

export function leanLayout(dataset: Dataset, market: string | undefined): Layout {
  const { symbol, type, contract, venue = '' } = dataset.instrument;
  const security = contract ? 'cryptofuture' : SECURITY_TYPES[type];
  if (!security) throw new ExportError(`Lean has no place for ${symbol}: its equities have prices of another scale`);
  const markets = MARKETS[security];
  const name = market ?? (markets.includes(venue) ? venue : markets[0]!);
  if (!markets.includes(name))
    throw new ExportError(
      `--market is ${JSON.stringify(name)}, but for ${symbol} must be one of ${markets.join(', ')}`,
    );
  const place: Place = {
    symbol: symbol.toLowerCase().replace(/\.p$/, ''),
    ending: contract ? '_perp.csv' : '.csv',
    hasSizes: contract !== undefined || security === 'crypto',
    root: `${security}/${name}`,
    offset: OFFSETS[name] ?? 0,
  };
  if (dataset.kind === 'bars') return barLayout(place, dataset.interval, dataset.chart.align);
  return tickLayout(place, dataset.kind);
}

interface Place {
  /** In lower case, without the `.P` of a perpetual. */
  readonly symbol: string;
  readonly ending: string;
  /** Whether files have the sizes of quotes, and names of hours and days say what is in them. */
  readonly hasSizes: boolean;
  readonly root: string;
  /** Local time minus UTC, in milliseconds. */
  readonly offset: number;
}

function barLayout(place: Place, interval: string, align: string): Layout {
  const resolution = RESOLUTIONS[interval];
  if (!resolution || (align !== 'utc' && resolution === 'daily'))
    throw new ExportError(
      `Lean has bars of 1m, 1h and 1d (of UTC days), but not of ${interval}${align === 'utc' ? '' : `@${align}`}: choose one of them, or another --format`,
    );
  if (resolution === 'daily' && place.offset !== 0)
    throw new ExportError(
      'days of this market of Lean begin at 05:00 UTC, those of the service at 00:00: choose --market oanda',
    );
  const { root, symbol, ending, hasSizes } = place;
  // Forex and CFD files of hours and days have no type in their names, as they are always of quotes.
  const types: readonly TickType[] = hasSizes ? ['trade', 'quote'] : ['quote', 'trade'];
  return {
    omits: ['buy and sell volume', 'ask prices of quote bars'],
    *files(from, to) {
      if (resolution === 'minute') {
        for (const { date, ...range } of daysOf(place, from, to))
          for (const tickType of types)
            yield barFile({
              ...range,
              path: `${root}/minute/${symbol}/${date}_${tickType}.zip`,
              entry: `${date}_${symbol}_minute_${tickType}${ending}`,
              tickType,
              time: millisecondsOf(place),
            });
        return;
      }
      for (const tickType of types) {
        const suffix = hasSizes || tickType === 'trade' ? `_${tickType}` : '';
        const path = `${root}/${resolution}/${symbol}${suffix}.zip`;
        yield barFile({ from, to, path, entry: `${symbol}${ending}`, tickType, time: dateAndTimeOf(place) });
      }
    },
  };
}

function tickLayout(place: Place, kind: 'quotes' | 'trades'): Layout {
  const { root, symbol, ending, hasSizes } = place;
  const tickType = kind === 'quotes' ? 'quote' : 'trade';
  const time = millisecondsOf(place);
  return {
    omits: kind === 'trades' ? ['sides and ids of trades'] : hasSizes ? [] : ['sizes of quotes'],
    *files(from, to) {
      for (const { date, ...range } of daysOf(place, from, to)) {
        const entry = `${date}_${symbol}_tick_${tickType}${ending}`;
        const path = `${root}/tick/${symbol}/${date}_${tickType}.zip`;
        const encode = (rows: Batches): AsyncIterable<Uint8Array> =>
          zipOfOne(entry, lines(rows, tickType === 'trade' ? tradeLine(time) : quoteLine(time, hasSizes)));
        yield { ...range, path, encode };
      }
    },
  };
}

type LineWriter = (text: PlainText, row: Row) => void;
type TimeWriter = (text: PlainText, time: number) => void;

function barFile(file: {
  readonly path: string;
  readonly entry: string;
  readonly from: number;
  readonly to: number;
  readonly tickType: TickType;
  readonly time: TimeWriter;
}): OutputFile {
  const { path, entry, from, to, tickType, time } = file;
  const basis = tickType === 'trade' ? 'trade' : 'bid';
  const encode = (rows: Batches): AsyncIterable<Uint8Array> => zipOfOne(entry, lines(rows, barLine(time, tickType)));
  return { path, from, to, accepts: (row) => (row as Bar).basis === basis, encode };
}

/** The days of a market, with the part of the range in each. */
function* daysOf({ offset }: Place, from: number, to: number): Generator<{ date: string; from: number; to: number }> {
  for (const local of periodsOf('day', from + offset, to + offset))
    yield { date: dateOf(local.from), from: local.from - offset, to: local.to - offset };
}

/** 20140501 */
const dateOf = (local: number): string => iso(local).slice(0, 10).replaceAll('-', '');

/** Milliseconds since midnight. */
const millisecondsOf =
  ({ offset }: Place): TimeWriter =>
  (text, time) =>
    text.number((time + offset) % DAY_MS);

/** 20140501 13:00 */
const dateAndTimeOf =
  ({ offset }: Place): TimeWriter =>
  (text, time) => {
    const local = time + offset;
    text.text(`${dateOf(local)} ${iso(local - (local % MINUTE_MS)).slice(11, 16)}`);
  };

function barLine(time: TimeWriter, tickType: TickType): LineWriter {
  return (text, row) => {
    const { time: start, open, high, low, close, volume } = row as Bar;
    time(text, start);
    text.comma().number(open).comma().number(high).comma().number(low).comma().number(close).comma().size(volume);
    text.text(tickType === 'trade' ? '\n' : ',,,,,0\n');
  };
}

function quoteLine(time: TimeWriter, withSizes: boolean): LineWriter {
  return (text, row) => {
    const { time: at, bid, ask, bidSize, askSize } = (row as QuoteTick).event;
    time(text, at);
    if (withSizes) text.comma().number(bid).comma().size(bidSize).comma().number(ask).comma().size(askSize);
    else text.comma().number(bid).comma().number(ask);
    text.text('\n');
  };
}

function tradeLine(time: TimeWriter): LineWriter {
  return (text, row) => {
    const { time: at, price, size } = (row as TradeTick).event;
    time(text, at);
    text.comma().number(price).comma().size(size).text('\n');
  };
}

async function* lines(batches: Batches, write: LineWriter): AsyncGenerator<Uint8Array> {
  const text = new PlainText();
  for await (const rows of batches) {
    for (const row of rows) write(text, row);
    if (text.isFull) yield text.take();
  }
  if (!text.isEmpty) yield text.take();
}
