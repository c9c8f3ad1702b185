// `tickwire export bars|ticks FOLDER`: writes history as files that other programs and `tickwire import` read.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { iso } from '@tickwire/contract';
import { chartIntervalName, type InstrumentSpec, storedTimeframe } from '@tickwire/engine';
import type { Config, Realm } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import { ExportError } from '../export/export-error.ts';
import { exportSummary, shortfall } from '../export/export-summary.ts';
import { datasetName, fileLayout, type MetadataOptions } from '../export/layouts/files.ts';
import { freqtradeLayout } from '../export/layouts/freqtrade.ts';
import type { Dataset, Layout } from '../export/layouts/layout.ts';
import { leanLayout } from '../export/layouts/lean.ts';
import { PARTITIONS, type Partition } from '../export/partition.ts';
import { type ExportOutcome, runExport } from '../export/run-export.ts';
import { storeSource } from '../export/store-source.ts';
import { parseChart } from '../history/chart-reader.ts';
import { FILE_FORMATS } from '../history/tables/table.ts';
import { TICK_KINDS, type TickKind } from '../history/tick-stream.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { sha256Hex } from '../ops/sha256.ts';
import { openStore } from '../store/open-store.ts';
import { type Arguments, printHelp, readArguments, UsageError } from './arguments.ts';
import { oneOf, readTime } from './flag-values.ts';
import { requestedInstrument } from './import-flags.ts';
import { INTERRUPTED, onInterruption } from './interruption.ts';

const HELP = `tickwire export bars FOLDER --symbol S[,S…|all] [--interval 1m] [--align utc] [--format csv]
tickwire export ticks FOLDER --symbol S[,S…|all] [--kind quotes|trades] [--format csv]

Writes bars of any length, or quotes and trades, as files in FOLDER. The service may run meanwhile. A file gets its name
when it is complete. An export that was interrupted continues if the same command is run again. "tickwire import" reads
all of these files.

  --symbol S           the instruments, separated by commas; all: every one that has data
  --format F           csv, ndjson, parquet; lean: the data folder of QuantConnect Lean; freqtrade: JSON as ccxt has it
  --interval I         length of the bars: a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M; default 1m
  --align A            when a day starts: utc (default), ny (17:00 in New York) or a time zone such as Europe/London
  --kind K             quotes or trades; default both
  --from TIME          leave out rows before this time (ISO 8601 or Unix time; UTC unless it has a zone)
  --to TIME            leave out rows from this time on
  --partition P        one file per day, month, or none; default month for bars, day for ticks. Lean and freqtrade have
                       their own files
  --market M           the market of Lean's folders; default oanda, for crypto binance
  --crossed            include imported quotes whose bid is above the ask
  --realm R            sim, live or replay: the markets to export; default those of the configured feeds. Imported history
                       belongs to live
  --force              replace files that exist

Exit status: 0 everything was written, 1 less than asked for or nothing, 2 invalid arguments, 130 interrupted.
`;

const FORMATS = [...FILE_FORMATS, 'lean', 'freqtrade'] as const;
type ExportFormat = (typeof FORMATS)[number];
const REALMS: readonly Realm[] = ['sim', 'live', 'replay'];
const ALL = 'all';
const USAGE = 'usage: tickwire export bars|ticks FOLDER --symbol S';
const VALUES = ['symbol', 'format', 'interval', 'align', 'kind', 'from', 'to', 'partition', 'market', 'realm'];

export const isHistory = (word: string | undefined): word is 'bars' | 'ticks' => word === 'bars' || word === 'ticks';

interface Options {
  readonly what: 'bars' | 'ticks';
  readonly folder: string;
  readonly format: ExportFormat;
  readonly partition: Partition;
  readonly interval: string;
  readonly align: string;
  readonly kinds: readonly TickKind[];
  readonly market: string | undefined;
  readonly from: number | null;
  readonly to: number | null;
  readonly crossed: boolean;
  readonly force: boolean;
}

export async function exportHistory(args: string[]): Promise<number> {
  const given = readArguments(args, { values: VALUES, switches: ['force', 'crossed'] });
  if (printHelp(given.on, HELP)) return 0;
  const options = optionsOf(given);
  const configured = given.config();
  const realm = given.flags.realm === undefined ? configured.realm : oneOf('--realm', given.flags.realm, REALMS);
  const config: Config = { ...configured, realm };
  const simulated = realm === 'sim';
  const alwaysOpen = simulated && config.sim_hours === 'always';
  const instruments = loadInstruments(await withAdded(config)).map((spec) =>
    alwaysOpen ? { ...spec, hours: 'always' as const } : spec,
  );
  const chosen = symbolsOf(given.flags.symbol, instruments);
  // Wrong arguments are refused before the store is opened.
  const coverage = {
    store: { watched: async () => [], fetched: async () => [] },
    simulated,
    alwaysOpen,
    tapeDays: config.tape_days,
  };
  for (const instrument of chosen) jobsOf(options, instrument, coverage);
  if (config.database_url === null && !existsSync(join(config.data, realm, 'market.db')))
    throw new StoreError(`${join(config.data, realm)} contains no market data${otherRealm(config)}`);
  using interruption = onInterruption();
  await using store = await openStore(config, { role: 'command', realm });
  const jobs = chosen.flatMap((instrument) => jobsOf(options, instrument, { ...coverage, store: store.market }));
  const now = Date.now;
  const source = storeSource({ realm, store: store.market, instruments, crossed: options.crossed, now });
  const isOptional = given.flags.symbol === ALL;
  const settings = {
    ...options,
    source,
    signal: interruption.signal,
    storeName: storeName(config, given.flags.market),
  };
  return await runJobs(jobs, settings, isOptional, otherRealm(config));
}

/** Tells whether a later export reads the same data. The address of a database is secret. */
export function storeName(
  { realm, data, database_url }: Pick<Config, 'realm' | 'data' | 'database_url'>,
  market = '',
): string {
  return sha256Hex(JSON.stringify([realm, database_url ?? resolve(data), market])).slice(0, 16);
}

function optionsOf({ words, flags, on }: Arguments): Options {
  const [what, folder] = words;
  if (!isHistory(what) || folder === undefined || words.length > 2) throw new UsageError(USAGE);
  const isBars = what === 'bars';
  const stray = (isBars ? ['kind'] : ['interval', 'align']).find((name) => flags[name] !== undefined);
  if (stray) throw new UsageError(`--${stray} applies to ${isBars ? 'ticks' : 'bars'}, not to ${what}`);
  if (isBars && on.has('crossed')) throw new UsageError('--crossed applies to ticks; bars always include such quotes');
  const format = oneOf('--format', flags.format ?? 'csv', FORMATS);
  if (flags.partition !== undefined && (format === 'lean' || format === 'freqtrade'))
    throw new UsageError(`--partition does not apply to ${format}, which has its own files`);
  if (flags.market !== undefined && format !== 'lean') throw new UsageError('--market applies to --format lean');
  const [from, to] = (['from', 'to'] as const).map((name) =>
    flags[name] === undefined ? null : readTime(`--${name}`, flags[name]),
  ) as [number | null, number | null];
  if (from !== null && to !== null && from >= to) throw new UsageError('--from must be before --to');
  if (from !== null && from > Date.now())
    throw new UsageError('--from is in the future: there is nothing to export yet');
  return {
    what,
    folder,
    format,
    partition: oneOf('--partition', flags.partition ?? (isBars ? 'month' : 'day'), PARTITIONS),
    interval: flags.interval ?? '1m',
    align: flags.align ?? 'utc',
    kinds: flags.kind === undefined ? TICK_KINDS : [oneOf('--kind', flags.kind, TICK_KINDS)],
    market: flags.market,
    from,
    to,
    crossed: on.has('crossed'),
    force: on.has('force'),
  };
}

function symbolsOf(flag: string | undefined, known: readonly InstrumentSpec[]): readonly InstrumentSpec[] {
  if (flag === undefined) throw new UsageError(`--symbol is missing; give instruments, or ${ALL}`);
  if (flag === ALL) return known;
  return [...new Set(flag.split(',').map((symbol) => symbol.trim()))].map((symbol) =>
    requestedInstrument(symbol, known),
  );
}

interface Job {
  readonly dataset: Dataset;
  readonly layout: Layout;
}

/** Layouts are made before anything is written: they refuse what they have no place for. */
function jobsOf(options: Options, instrument: InstrumentSpec, coverage: MetadataOptions): Job[] {
  const { format, partition, market } = options;
  const layoutOf = (dataset: Dataset): Layout => {
    if (format === 'lean') return leanLayout(dataset, market);
    return format === 'freqtrade' ? freqtradeLayout(dataset) : fileLayout(dataset, format, partition, coverage);
  };
  try {
    return datasetsOf(options, instrument).map((dataset) => ({ dataset, layout: layoutOf(dataset) }));
  } catch (error) {
    if (error instanceof ExportError) throw new UsageError(error.message);
    throw error;
  }
}

function datasetsOf({ what, interval, align, kinds, format }: Options, instrument: InstrumentSpec): Dataset[] {
  if (what === 'bars') {
    const chart = chartOf(interval, align);
    return [{ kind: 'bars', instrument, chart, interval: chartIntervalName(chart.interval) }];
  }
  // freqtrade has no quotes; they are refused only if they are asked for.
  const wanted = format === 'freqtrade' && kinds.length > 1 ? (['trades'] as const) : kinds;
  return wanted.map((kind) => ({ kind, instrument }));
}

function chartOf(interval: string, align: string): ReturnType<typeof parseChart> {
  try {
    return parseChart({ interval, align });
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(`--${error.message}`);
    throw error;
  }
}

async function runJobs(
  jobs: readonly Job[],
  options: Options & Pick<Parameters<typeof runExport>[0], 'source' | 'signal'> & { readonly storeName: string },
  isOptional: boolean,
  hint: string,
): Promise<number> {
  let status = 0;
  let written = 0;
  const empty: string[] = [];
  for (const { dataset, layout } of jobs) {
    const name = datasetName(dataset);
    const progress = stderrProgress(name);
    const outcome = await runExport({
      dataset,
      name,
      layout,
      source: options.source,
      folder: options.folder,
      from: options.from,
      to: options.to,
      request: {
        name,
        format: options.format,
        partition: options.partition,
        crossed: Number(options.crossed),
        from_store: options.storeName,
      },
      force: options.force,
      ...(options.signal && { signal: options.signal }),
      onProgress: (done, total, rows) => progress.update(done, total, rows),
    }).finally(() => progress.end());
    if (outcome.rows === 0 && !outcome.interrupted) {
      empty.push(name + availableText(dataset, outcome));
      continue;
    }
    written++;
    process.stdout.write(exportSummary({ dataset, layout, outcome, ...options, ms: progress.elapsedMs }));
    if (outcome.interrupted) return INTERRUPTED;
    status = Math.max(status, reportShortfall(name, dataset, options, outcome));
  }
  // Of ticks, either kind is enough unless one was asked for; of all instruments, those that have data.
  const isEnough = written > 0 && (isOptional || (options.what === 'ticks' && options.kinds.length > 1));
  if (empty.length > 0 && !isEnough) {
    process.stderr.write(`tickwire: no rows of ${listed(empty)} in this range${hint}\n`);
    return 1;
  }
  if (empty.length > 0) process.stdout.write(`No rows: ${listed(empty)}\n`);
  return status;
}

function reportShortfall(
  name: string,
  dataset: Dataset,
  { from, to }: Pick<Options, 'from' | 'to'>,
  outcome: ExportOutcome,
): number {
  const problem = shortfall(dataset, { from, to }, outcome, Date.now());
  if (problem === null) return 0;
  process.stderr.write(`tickwire: ${name}: less than asked for was written: ${problem}\n`);
  return 1;
}

/** Why there are no rows. Bars cannot be made of longer ones. */
function availableText(dataset: Dataset, { bounds }: ExportOutcome): string {
  if (bounds) return ` (it has ${iso(bounds.first)} to ${iso(bounds.last)})`;
  if (dataset.kind !== 'bars') return '';
  const { interval, day } = dataset.chart;
  const stored = storedTimeframe(interval, day);
  return stored === dataset.interval ? '' : ` (made of ${stored} bars)`;
}

const MAX_LISTED = 10;
const listed = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${formatCount(names.length - MAX_LISTED)} more`;

/** Simulated and live markets have separate stores. */
function otherRealm({ realm, data, database_url }: Config): string {
  const others = REALMS.filter(
    (other) =>
      other !== realm && (database_url !== null ? other === 'live' : existsSync(join(data, other, 'market.db'))),
  );
  const names = { sim: 'simulated', live: 'live', replay: 'replayed' };
  return others.length === 0
    ? ` of the ${names[realm]} markets`
    : ` of the ${names[realm]} markets; for the ${others.map((other) => names[other]).join(' or ')} ones add --realm ${others.join(' or ')}`;
}
