// The flags of `tickwire import` and `tickwire replay` that describe their files.
import {
  asSymbol,
  type BarBasis,
  type BarInterval,
  type InstrumentSpec,
  parseBarInterval,
  SymbolIndex,
} from '@tickwire/engine';
import { ConfigError } from '../config/config.ts';
import type { FormatName } from '../import/formats/format.ts';
import { FORMATS } from '../import/formats/registry.ts';
import type { ReadOptions } from '../import/read-files.ts';
import type { DateOrder } from '../import/rows/date-time.ts';
import { VENUES } from '../market/feeds/venues/registry.ts';
import { type Arguments, type Flags, UsageError } from './arguments.ts';
import { invalidFlag, oneOf, readTime, wholeNumber } from './flag-values.ts';

const MAX_DIGITS = 10;

export const FILE_FLAGS: Required<Flags> = {
  values: [
    'symbol',
    'format',
    'timezone',
    'date-order',
    'timeframe',
    'start',
    'columns',
    'ignore-columns',
    'decimal',
    'points',
    'digits',
    'basis',
    'bar-time',
  ],
  switches: ['round', 'trust-timezone', 'last-wins'],
};

const formatNames = (from: number, to?: number): string =>
  FORMATS.slice(from, to)
    .map(({ name }) => name)
    .join(', ');

export const FILE_FLAGS_HELP = `  --symbol S           the instrument of the files
  --format F           auto, or one of ${formatNames(0, 5)},
                       ${formatNames(5, 11)},
                       ${formatNames(11)}
  --timezone Z         time zone of times without one: UTC, an IANA name such as Europe/Athens, UTC+02:00, or broker: New
                       York + 7 hours, the server time of most MetaTrader brokers
  --trust-timezone     import although the weekends of the file contradict the time zone
  --date-order O       mdy or dmy: the order of month and day in dates such as 02/04/2019
  --timeframe T        length of the bars (1m, 30m, 4h, 1d, 1w; 1M is a month), if neither the rows nor the file name tell it
  --start TIME         start time of a file with relative times (ISO 8601 or Unix time)
  --columns A,B,C      column names of a CSV without a header: time,bid,ask or time,price,size,side …
  --ignore-columns A,B columns that are not imported on purpose, such as a volume in another currency
  --decimal D          comma or point: what 1,234 means in a CSV, if its prices do not show it
  --points N           prices are integers in units of 10^-N
  --digits N           decimals of the prices, if the files have more than the instrument
  --basis trade|bid    the prices that the bars of a CSV are built from
  --bar-time start|end what the time of a bar is: its start (default), or its end
  --last-wins          of several bars with the same time, import the last although they differ
  --round              round the prices of ticks to the decimals of the instrument (those of bars always are)`;

export type FileOptions = Omit<ReadOptions, 'symbol' | 'digits' | 'hours'>;

export function fileOptions({ flags, on }: Pick<Arguments, 'flags' | 'on'>): FileOptions {
  const { timezone, columns, timeframe, start, points } = flags;
  const choice = <T extends string>(name: string, allowed: readonly T[]): T | undefined =>
    flags[name] === undefined ? undefined : oneOf(`--${name}`, flags[name], allowed);
  return {
    format: choice<FormatName | 'auto'>('format', ['auto', ...FORMATS.map(({ name }) => name)]) ?? 'auto',
    finer: on.has('round') ? 'round' : 'skip',
    timezone,
    columns,
    ignoredColumns: flags['ignore-columns']?.split(',').map((name) => name.trim()),
    trustTimezone: on.has('trust-timezone'),
    lastWins: on.has('last-wins'),
    dateOrder: choice<DateOrder>('date-order', ['mdy', 'dmy']),
    decimal: choice('decimal', ['comma', 'point']),
    timeframe: timeframe === undefined ? undefined : intervalOf(timeframe),
    basis: choice<BarBasis>('basis', ['trade', 'bid']),
    barTime: choice('bar-time', ['start', 'end']),
    pointDigits: points === undefined ? undefined : wholeNumber('--points', points, 0, MAX_DIGITS),
    start: start === undefined ? undefined : readTime('--start', start),
  };
}

/** The instrument of `--symbol`. The error explains how to add one that is missing. */
export function requestedInstrument(symbol: string | undefined, known: readonly InstrumentSpec[]): InstrumentSpec {
  if (symbol === undefined) throw new UsageError('--symbol is missing; give the instrument of the files');
  const symbolIn = (codes: readonly string[]) => new SymbolIndex(codes).resolve(symbol);
  const offered = [...new Set(Object.values(VENUES).flatMap(({ symbols }) => Object.keys(symbols)))];
  const code = symbolIn(known.map((instrument) => instrument.symbol)) ?? symbolIn(offered) ?? asSymbol(symbol);
  const found = known.find((instrument) => instrument.symbol === code);
  if (found) return found;
  const venue = Object.values(VENUES).find(({ symbols }) => Object.hasOwn(symbols, code));
  throw new ConfigError(
    `there is no instrument ${code}; ${venue ? `enable a venue that has it (--feeds ${venue.name}), or ` : ''}add it, such as with: tickwire instruments add ${code} ${likelyTerms(code)}`,
  );
}

/** Terms to start from: those of two currencies, of something priced in a currency or coin, or else of a share. */
function likelyTerms(code: string): string {
  const currencies = new Set(Intl.supportedValuesOf('currency'));
  if (currencies.has(code.slice(0, 3)) && currencies.has(code.slice(3)))
    return '--type forex --digits 5 --pip-size 0.0001 --contract-size 100000 --margin-rate 0.05';
  return code.length > 5 && /(?:USD[TC]?|EUR|BTC|ETH)(?:\.P)?$/.test(code)
    ? '--type crypto --digits 2 --pip-size 0.01 --contract-size 1 --margin-rate 0.5'
    : '--type equity --digits 2 --pip-size 0.01 --contract-size 1 --margin-rate 0.2';
}

/** The instrument with the decimals of `--digits`. */
export function withDigits(instrument: InstrumentSpec, digits: string | undefined): InstrumentSpec {
  if (digits === undefined) return instrument;
  return { ...instrument, digits: wholeNumber('--digits', digits, instrument.digits, MAX_DIGITS) };
}

function intervalOf(text: string): BarInterval {
  const interval = parseBarInterval(text);
  if (interval) return interval;
  throw invalidFlag('--timeframe', text, 'a length such as 1s, 1m, 5m, 30m, 1h, 4h, 1d, 1w or 1M (a month)');
}
