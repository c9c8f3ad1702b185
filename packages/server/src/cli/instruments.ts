// `tickwire instruments`: lists and checks the instruments of the service, and changes them in the operator's file.
import { existsSync } from 'node:fs';
import { INSTRUMENT_TYPES } from '@tickwire/contract';
import { asSymbol, HOURS_NAMES, type InstrumentSpec, type MarketSymbol, priceCurrency } from '@tickwire/engine';
import { ConfigError } from '../config/config.ts';
import { instrumentFilePath } from '../config/instrument-file-path.ts';
import type { ServiceConfig } from '../market/feeds/venues/configured-venues.ts';
import { type InstrumentEntry, readInstrumentFile, writeInstrumentFile } from '../market/instrument-file.ts';
import { builtInInstruments, loadInstruments, withAdded } from '../market/instruments.ts';
import { printRows } from '../ops/table.ts';
import { type Arguments, printHelp, readArguments, UsageError } from './arguments.ts';
import { decimalNumber, invalidFlag } from './flag-values.ts';
import { requestedInstrument } from './import-flags.ts';
import { checkInstruments, refuseUnsafeDigits } from './instrument-checks.ts';
import { addFromVenue, searchVenues } from './venue-instruments.ts';

/** Some calendars on each line of the help text. */
const HOURS = Array.from(
  { length: Math.ceil(HOURS_NAMES.length / 6) },
  (_, line) => `${' '.repeat(25)}${HOURS_NAMES.slice(line * 6, line * 6 + 6).join(', ')}`,
).join(',\n');

const HELP = `tickwire instruments list [SYMBOL…] [--json]
tickwire instruments add SYMBOL --type TYPE --digits N --pip-size N --contract-size N --margin-rate N [OPTION…]
tickwire instruments search [WORD] [--venue NAME] [--json]
tickwire instruments add SYMBOL --venue NAME
tickwire instruments set SYMBOL OPTION…
tickwire instruments check [SYMBOL…] [--apply] [--json]

list shows the instruments of the service: the built-in ones, those of the configured venues, and your own.
search shows what the configured venues list, and add --venue adds one of it with the venue's terms, for good. With
TICKWIRE_API_KEY both go through the running service (TICKWIRE_URL), which streams the instrument within seconds; without it,
add --venue needs the service to be stopped.
add with terms of your own, and set, write to the instruments file: TICKWIRE_INSTRUMENTS, or instruments.json in the data folder. They apply when the
service starts again; in a cluster, all nodes need the same file.
check compares the instruments with stored data and active signals, and with what the configured feeds say about them (digits
and pips of OANDA, tick sizes of crypto exchanges). --apply sets the digits that a feed needs. Exit status 1 if something is wrong.

  --venue NAME           a configured venue, such as binance; search: all of them by default
  --name TEXT            name for display (add: default SYMBOL)
  --type TYPE            ${INSTRUMENT_TYPES.join(', ')}
  --digits N             decimals of a price. More digits are always safe for stored data; fewer are refused if a stored price
                         has more decimals, and any change is refused while the instrument has active signals
  --pip-size N           price units of one pip, such as 0.0001
  --level-size N         height of a level of volume profiles in price units; one pip by default
  --contract-size N      units in one lot
  --contract-unit TEXT   what such a unit is, such as "troy ounces"
  --currency CODE        currency of prices, if the symbol does not end with it
  --margin-rate N        fraction of the position value, such as 0.05
  --min-lot N            default of add: 0.01
  --max-lot N            default of add: 100
  --hours NAME           trading calendar (add: default always); one of
${HOURS}
  --bars KIND            quotes: bars are made of bids; trades: of trades alone; auto: of trades from the first one on, unless the
                         feed of the instrument declares another kind
`;

const NUMBERS = ['digits', 'pip-size', 'level-size', 'contract-size', 'margin-rate', 'min-lot', 'max-lot'] as const;
const TEXTS = ['name', 'type', 'contract-unit', 'currency', 'hours'] as const;
const CHANGES = [...NUMBERS, ...TEXTS, 'bars'];

export async function instruments(args: string[]): Promise<number> {
  const given = readArguments(args, { values: [...CHANGES, 'venue'], switches: ['json', 'apply'] });
  if (printHelp(given.on, HELP)) return 0;
  const [action, ...symbols] = given.words;
  const config = await withAdded(given.config());
  const { venue } = given.flags;
  if (action === 'search') {
    if (symbols.length > 1) throw new UsageError('usage: tickwire instruments search [WORD] [--venue NAME]');
    return searchVenues(config, symbols[0] ?? '', venue, given.on.has('json'));
  }
  if (action === 'list') return list(config, symbols, given.on.has('json'));
  if (action === 'check') {
    return checkInstruments(config, chosen(config, symbols), {
      json: given.on.has('json'),
      apply: given.on.has('apply') ? (symbol, digits) => change(config, symbol, { digits }) : null,
    });
  }
  const [symbol, ...rest] = symbols;
  if ((action !== 'add' && action !== 'set') || symbol === undefined || rest.length > 0)
    throw new UsageError(
      'usage: tickwire instruments list | search [WORD] | add SYMBOL … | set SYMBOL … | check; see --help',
    );
  const entry = changesOf(given);
  if (venue !== undefined) {
    if (action === 'set' || Object.keys(entry).length > 0)
      throw new UsageError(
        '--venue takes the terms of the venue; change them afterwards with "tickwire instruments set"',
      );
    return addFromVenue(config, symbol, venue);
  }
  if (action === 'add') return add(config, asSymbol(symbol), entry, given.flags.bars === 'auto');
  if (Object.keys(entry).length === 0 && given.flags.bars !== 'auto')
    throw new UsageError(`say what to change, such as: tickwire instruments set ${symbol} --digits 3`);
  await change(config, requestedInstrument(symbol, knownTo(config)).symbol, entry, given.flags.bars === 'auto');
  return 0;
}

function list(config: ServiceConfig, symbols: readonly string[], json: boolean): number {
  printRows(chosen(config, symbols), json, {
    SYMBOL: ({ symbol }) => symbol,
    TYPE: ({ type }) => type,
    DIGITS: ({ digits }) => String(digits),
    PIP: ({ pipSize }) => String(pipSize),
    CONTRACT: ({ contractSize, contractUnit = '' }) => `${contractSize} ${contractUnit}`.trim(),
    CURRENCY: (spec) => priceCurrency(spec) ?? '?',
    MARGIN: ({ marginRate }) => `${Number((marginRate * 100).toFixed(4))} %`,
    LOTS: ({ minLot, maxLot }) => `${minLot} to ${maxLot}`,
    BARS: ({ bars }) => bars ?? 'auto',
    HOURS: ({ hours }) => hours,
    TERMS: ({ source }) => (source === undefined ? 'your file' : 'built-in'),
  });
  return 0;
}

const chosen = (config: ServiceConfig, symbols: readonly string[]): readonly InstrumentSpec[] => {
  const known = loadInstruments(config);
  return symbols.length === 0 ? known : symbols.map((symbol) => requestedInstrument(symbol, known));
};

/** The flags as fields of an entry of the file. Their values are checked when the file is written. */
function changesOf({ flags }: Arguments): Partial<InstrumentEntry> {
  const entry: Record<string, unknown> = {};
  for (const name of NUMBERS) {
    const text = flags[name];
    if (text === undefined) continue;
    entry[name.replaceAll('-', '_')] = decimalNumber(`--${name}`, text);
  }
  for (const name of TEXTS) if (flags[name] !== undefined) entry[name.replaceAll('-', '_')] = flags[name];
  if (flags.bars !== undefined && !['quotes', 'trades', 'auto'].includes(flags.bars))
    throw invalidFlag('--bars', flags.bars, 'quotes, trades or auto');
  if (flags.bars !== undefined && flags.bars !== 'auto') entry.bars = flags.bars;
  return entry as Partial<InstrumentEntry>;
}

async function add(
  config: ServiceConfig,
  symbol: MarketSymbol,
  given: Partial<InstrumentEntry>,
  auto: boolean,
): Promise<number> {
  if (knownTo(config).some((spec) => spec.symbol === symbol))
    throw new ConfigError(`${symbol} exists already; change it with "tickwire instruments set ${symbol}"`);
  const required = ['type', 'digits', 'pip_size', 'contract_size', 'margin_rate'] as const;
  const missing = required.filter((name) => given[name] === undefined).map((name) => `--${name.replaceAll('_', '-')}`);
  if (missing.length > 0) throw new UsageError(`a new instrument needs ${missing.join(', ')}`);
  await change(config, symbol, { name: symbol, min_lot: 0.01, max_lot: 100, ...given }, auto);
  return 0;
}

/** Merges the fields into the entry of the instrument, or adds one. */
async function change(
  config: ServiceConfig,
  symbol: MarketSymbol,
  fields: Partial<InstrumentEntry>,
  barsAuto = false,
): Promise<void> {
  const path = instrumentFilePath(config);
  const file = (isMissing(config) ? null : readInstrumentFile(config)) ?? { replace: false, instruments: [] };
  const before = knownTo(config).find((spec) => spec.symbol === symbol);
  if (fields.digits !== undefined && before?.digits !== fields.digits)
    await refuseUnsafeDigits(config, symbol, fields.digits);
  const at = file.instruments.findIndex((entry) => asSymbol(entry.symbol) === symbol);
  const entry: InstrumentEntry = { ...(file.instruments[at] ?? { symbol }), ...fields };
  if (barsAuto) delete entry.bars;
  const instruments = at < 0 ? [...file.instruments, entry] : file.instruments.with(at, entry);
  writeInstrumentFile(path, { ...file, instruments }, builtInInstruments(config));
  process.stdout.write(`${symbol} is changed in ${path}. Restart the service to apply it.\n`);
}

/** A configured file that does not exist yet is created by add and set. */
const isMissing = ({ instruments }: ServiceConfig): boolean => instruments !== null && !existsSync(instruments);
const knownTo = (config: ServiceConfig): readonly InstrumentSpec[] =>
  isMissing(config) ? builtInInstruments(config) : loadInstruments(config);
