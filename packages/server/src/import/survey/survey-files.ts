// Reads files without storing anything, to find out what only the whole of a file shows: the length of its bars, the order of
// day and month, whether the time zone fits, and which rows cannot be used. What is found may change how rows are read, so a
// file is read again until nothing new is found: once for ordinary ticks, up to four times for bars.
import type { BarInterval } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { ImportReport } from '../import-report.ts';
import { type FindingsByFile, type ReadOptions, readFileRows, sourceEntries } from '../read-files.ts';
import { isAlignedAnywhere, UNKNOWN_INTERVAL } from '../rows/bar-interval.ts';
import type { DateEvidence, DateOrder } from '../rows/date-time.ts';
import { decideInterval, requireNoContradiction, requireOneLength } from './bar-steps.ts';
import { type FileFindings, NO_FINDINGS } from './file-findings.ts';
import { exportedBars } from './interval-in-name.ts';
import { RowSurvey } from './row-survey.ts';
import { isYahooZone, requireFittingZone, requireOpenMarket, YAHOO_ZONE } from './weekly-breaks.ts';

export interface Survey {
  readonly findings: FindingsByFile;
  /** Rows and skipped lines of all files. */
  readonly report: ImportReport;
  /** Symbols of symbol columns, as the files spell them. */
  readonly symbols: ReadonlySet<string>;
  /** A truncated or damaged archive: its rows before the fault were surveyed. */
  readonly fault: ImportError | null;
}

export interface SurveyControl {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((file: string, bytesRead: number, rows: number) => void) | undefined;
}

const isDamaged = (error: unknown): error is ImportError =>
  error instanceof ImportError && ['truncated_archive', 'damaged_archive'].includes(error.fault);
/** An archive may contain other files besides data. */
const isNoData = (error: unknown): boolean =>
  error instanceof ImportError && ['unknown_format', 'empty_file'].includes(error.fault);

export async function surveyFiles(
  files: readonly string[],
  options: ReadOptions,
  { signal, onProgress }: SurveyControl = {},
): Promise<Survey> {
  const report = new ImportReport('always');
  const findings = new Map<string, FileFindings>();
  const symbols = new Set<string>();
  for await (const { entry, source, siblings } of sourceEntries(files, options)) {
    try {
      const onRows = (rows: number): void =>
        onProgress?.(source.path, Math.min(source.bytesRead, source.bytesTotal), report.rows + rows);
      const found = await surveyFile(entry.name, entry.chunks, options, { signal, onRows });
      findings.set(entry.name, found.findings);
      report.addCounts(found.report);
      for (const symbol of found.survey.symbols) symbols.add(symbol);
      if (found.fault || signal?.aborted) return { findings, report, symbols, fault: found.fault };
    } catch (error) {
      if (siblings < 2 || !isNoData(error)) throw error;
      report.ignored.push(entry.name);
      const ignored = report.ignored.filter((name) => name.startsWith(`${source.path}!`));
      if (ignored.length === siblings)
        throw ImportError.in(source.path, new ImportError('unknown_format', 'no file in the zip has a known format'));
    }
  }
  return { findings, report, symbols, fault: null };
}

export interface FileSurvey {
  readonly findings: FileFindings;
  readonly report: ImportReport;
  readonly survey: RowSurvey;
  readonly fault: ImportError | null;
}

/** Surveys one file; `chunks` starts it from the beginning. */
export async function surveyFile(
  name: string,
  chunks: () => AsyncIterable<Uint8Array>,
  options: ReadOptions,
  { signal, onRows }: { signal?: AbortSignal | undefined; onRows?: (rows: number) => void } = {},
): Promise<FileSurvey> {
  let findings: FileFindings = { ...NO_FINDINGS, dateOrder: options.dateOrder ?? null };
  for (;;) {
    const report = new ImportReport('always');
    const survey = new RowSurvey(findings.dateOrder, options.hours ?? 'always', findings.repeated);
    let fault: ImportError | null = null;
    try {
      for await (const _ of readFileRows(name, chunks(), options, report, findings, survey)) {
        onRows?.(report.rows);
        if (signal?.aborted) return { findings, report, survey, fault };
      }
    } catch (error) {
      if (!isDamaged(error)) throw error;
      fault = error;
    }
    try {
      const base = name.split(/[/\\!]/).at(-1)!;
      const next = nextFindings(survey, findings, options, base);
      if (next === findings) {
        if (!options.lastWins) survey.repeated.requireEqual();
        if (!options.trustTimezone) {
          if (survey.zone)
            requireFittingZone(survey, survey.zone, options.hours ?? 'always', base, options.timezone !== undefined);
          else requireOpenMarket(survey);
        }
        return { findings: { ...findings, newestFirst: survey.descents > survey.ascents }, report, survey, fault };
      }
      findings = next;
    } catch (error) {
      throw ImportError.in(name, error);
    }
  }
}

/** The findings with what the last reading has added; the same object if nothing is new. */
function nextFindings(survey: RowSurvey, known: FileFindings, options: ReadOptions, name: string): FileFindings {
  if (known.dateOrder === null && survey.dateEvidence.example !== '')
    return { ...known, dateOrder: orderOf(survey.dateEvidence) };
  if (known.interval === null && survey.interval !== null) {
    const named = options.timeframe === undefined ? exportedBars(name) : null;
    if (named) return { ...known, ...named };
    const interval = intervalOf(survey, survey.interval, options, name);
    requireOneLength(survey.steps, interval, options.timeframe !== undefined);
    return { ...known, interval, align: isAlignedAnywhere(interval) ? 'utc' : null };
  }
  if (known.interval !== null && known.align === null) {
    const isYahoo = known.interval === '1d' && isYahooZone(survey.zone, options.hours ?? 'always', name);
    return { ...known, align: isYahoo ? YAHOO_ZONE : survey.align };
  }
  const repeated = survey.repeated.found;
  if (repeated) return { ...known, repeated };
  return known;
}

/** A format that knows the length of its bars has told it with each of them. */
function intervalOf({ steps }: RowSurvey, seen: BarInterval, options: ReadOptions, name: string): BarInterval {
  if (seen === UNKNOWN_INTERVAL || seen === options.timeframe) return decideInterval(steps, name, options.timeframe);
  requireNoContradiction(steps, seen, 'the name or the header of the file says', 'correct it, or specify --timeframe');
  return seen;
}

function orderOf({ mdy, dmy, example }: DateEvidence): DateOrder {
  if (mdy > 0 && dmy > 0) {
    throw new ImportError(
      'ambiguous_dates',
      `its dates have the month first in ${mdy} rows and the day first in ${dmy}: the file mixes two orders`,
    );
  }
  if (mdy + dmy > 0) return mdy > 0 ? 'mdy' : 'dmy';
  throw new ImportError(
    'ambiguous_dates',
    `the date ${example} can be read in two ways, and no row of the file shows which: specify --date-order mdy (month first) or dmy (day first)`,
  );
}
