// The flags of `tickwire import` and `tickwire replay` that describe their files.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, asSymbol, type BarBasis, type EpochMs, type InstrumentSpec } from '@tickwire/engine';
import { ConfigError } from '../config/config.ts';
import type { FormatName } from '../import/formats/format.ts';
import { FORMATS } from '../import/formats/registry.ts';
import type { ReadOptions } from '../import/read-files.ts';
import { VENUE_INSTRUMENTS } from '../market/feeds/venues/venue-instruments.ts';
import { type Arguments, type Flags, UsageError, wholeNumber } from './arguments.ts';

const MAX_DIGITS = 10;

export const FILE_FLAGS: Required<Flags> = {
  values: ['symbol', 'format', 'timezone', 'timeframe', 'start', 'columns', 'points', 'basis'],
  switches: ['round'],
};

export const FILE_FLAGS_HELP = `  --symbol S           the instrument of the files
  --format F           auto, or one of ${FORMATS.slice(0, 5)
    .map(({ name }) => name)
    .join(', ')},
                       ${FORMATS.slice(5)
                         .map(({ name }) => name)
                         .join(', ')}
  --timezone Z         time zone of times without one: an IANA name such as Europe/Athens, or UTC+02:00
  --timeframe T        length of the bars, if neither the rows nor the file name tell it
  --start TIME         start time of a file with relative times (ISO 8601 or Unix time)
  --columns A,B,C      column names of a CSV without a header: time,bid,ask or time,price,size,side …
  --points N           prices are integers in units of 10^-N
  --basis trade|bid    the prices that the bars of a CSV are built from
  --round              round prices with too many decimals instead of skipping them`;

export type FileOptions = Omit<ReadOptions, 'symbol' | 'digits' | 'hours'>;

export function fileOptions({ flags, on }: Pick<Arguments, 'flags' | 'on'>): FileOptions {
  const { timezone, columns, start, points } = flags;
  return {
    format: oneOf('--format', flags.format ?? 'auto', ['auto', ...FORMATS.map(({ name }) => name)]) as
      | FormatName
      | 'auto',
    finer: on.has('round') ? 'round' : 'skip',
    ...(timezone !== undefined && { timezone }),
    ...(columns !== undefined && { columns }),
    ...(flags.timeframe !== undefined && {
      timeframe: oneOf('--timeframe', flags.timeframe, TIMEFRAMES) as Timeframe,
    }),
    ...(flags.basis !== undefined && { basis: oneOf('--basis', flags.basis, ['trade', 'bid']) as BarBasis }),
    ...(points !== undefined && { pointDigits: wholeNumber('--points', points, 0, MAX_DIGITS) }),
    ...(start !== undefined && { start: timeOf(start) }),
  };
}

/** The instrument of `--symbol`. The error says how to add one that is missing. */
export function instrumentOf(symbol: string | undefined, known: readonly InstrumentSpec[]): InstrumentSpec {
  if (symbol === undefined) throw new UsageError('--symbol is missing; give the instrument of the files');
  const code = asSymbol(symbol);
  const found = known.find((instrument) => instrument.symbol === code);
  if (found) return found;
  const isVenueInstrument = VENUE_INSTRUMENTS.some((instrument) => instrument.symbol === code);
  throw new ConfigError(
    `there is no instrument ${code}; ${isVenueInstrument ? 'enable a venue that has it (--feeds crypto:binance), or ' : ''}add it with an instruments file (--instruments FILE or TICKWIRE_INSTRUMENTS) such as {"instruments":[{"symbol":"${code}","name":"${code}","type":"crypto","pip_size":0.01,"digits":2,"contract_size":1,"margin_rate":0.5,"min_lot":0.01,"max_lot":100}]}`,
  );
}

function oneOf(flag: string, text: string, allowed: readonly string[]): string {
  if (allowed.includes(text)) return text;
  throw new UsageError(`${flag} is ${JSON.stringify(text)}, but must be one of ${allowed.join(', ')}`);
}

function timeOf(text: string): EpochMs {
  const unix = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  // A time without a zone is UTC.
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`;
  const time = Number.isNaN(unix) ? Date.parse(zoned) : unix < 1e11 ? unix * 1000 : unix;
  if (Number.isNaN(time))
    throw new UsageError(`--start is ${JSON.stringify(text)}, but must be a time such as 2014-05-01T00:00:00Z`);
  return asEpochMs(time);
}
