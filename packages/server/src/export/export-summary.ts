// The summary that an export prints at its end, and what it lacks.

import { iso } from '@tickwire/contract';
import { asEpochMs, MIN_GAP_MS, openBetween } from '@tickwire/engine';
import { formatCount, formatDuration } from '../ops/progress.ts';
import { gapLines, summaryLine } from '../ops/summary-lines.ts';
import { barLength } from './exported-rows.ts';
import type { Dataset, Layout } from './layouts/layout.ts';
import type { ExportOutcome } from './run-export.ts';

const TITLES: Readonly<Record<string, string>> = {
  csv: 'CSV',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  lean: 'Lean',
  freqtrade: 'freqtrade JSON',
};

export interface SummaryOptions {
  readonly dataset: Dataset;
  readonly layout: Layout;
  readonly outcome: ExportOutcome;
  readonly folder: string;
  readonly format: string;
  readonly ms: number;
}

export function exportSummary({ dataset, layout, outcome, folder, format, ms }: SummaryOptions): string {
  const { rows, files, bytes, kept, first, last, gaps, interrupted } = outcome;
  const { symbol } = dataset.instrument;
  const what = dataset.kind === 'bars' ? `bars of ${seriesTitle(dataset)}` : dataset.kind;
  const rate = kept > 0 ? '' : `, ${formatCount(rows / Math.max(0.001, ms / 1000))} rows/s`;
  const lines = [
    `${symbol}: ${formatCount(rows)} ${what} in ${formatCount(files.length, 'file')} (${TITLES[format]}, ${formatBytes(bytes)}) in ${formatDuration(ms)}${rate}`,
  ];
  const addLine = (name: string, text: string): number => lines.push(summaryLine(name, text));
  if (first !== null) addLine('from', `${iso(first)} to ${iso(last!)}`);
  addLine('files', files.length === 0 ? `none in ${folder}` : filesText(folder, files));
  const { bounds } = outcome;
  if (bounds && bounds.first < bounds.firstStored && first === bounds.firstStored)
    addLine('earlier', `simulated history from ${iso(bounds.first)} on is computed if --from asks for it`);
  if (outcome.crossed > 0)
    addLine('left out', `${formatCount(outcome.crossed, 'quote')} with the bid above the ask; --crossed includes them`);
  if (kept > 0) addLine('kept', `${formatCount(kept, 'file')} of the interrupted export before`);
  if (layout.omits.length > 0)
    addLine('without', `${layout.omits.join(', ')}: files of ${TITLES[format]} have no place for them`);
  if (rows > 0) lines.push(...gapLines(gaps));
  if (interrupted) lines.push('Interrupted. Complete files stay; run the same command again to continue.');
  else addLine('read back', `npx tickwire import ${importArguments(dataset, outcome, format, folder)}`);
  return `${lines.join('\n')}\n`;
}

/** What is missing at the ends of the range that was asked for; `null` if nothing. Gaps within the history do not count. */
export function shortfall(
  dataset: Dataset,
  { from, to }: { readonly from: number | null; readonly to: number | null },
  { bounds }: Pick<ExportOutcome, 'bounds'>,
  now: number,
): string | null {
  if (!bounds) return 'there are no rows';
  const lengthOf = dataset.kind === 'bars' ? barLength(dataset.chart) : () => 0;
  const until = bounds.last + lengthOf({ time: asEpochMs(bounds.last) });
  const tolerance = Math.max(until - bounds.last, MIN_GAP_MS);
  const lacks = (start: number, end: number): boolean =>
    end - start >= tolerance && openBetween(dataset.instrument.hours, start, end) >= tolerance;
  const what = dataset.kind === 'bars' ? 'the history' : 'the tape';
  const problems: string[] = [];
  if (from !== null && lacks(from, bounds.first)) problems.push(`${what} begins at ${iso(bounds.first)}`);
  if (to !== null && to > now && to - until >= tolerance) problems.push('--to is in the future');
  else if (to !== null && lacks(until, to)) problems.push(`${what} ends at ${iso(until)}`);
  return problems.length > 0 ? problems.join(', and ') : null;
}

function seriesTitle({ interval, chart }: Extract<Dataset, { kind: 'bars' }>): string {
  if (chart.align === 'utc') return interval;
  return `${interval} (${chart.align === 'ny' ? 'days end at 17:00 in New York' : `days of ${chart.day.zone}`})`;
}

/** The first and the last file, with their folder. */
function filesText(folder: string, files: readonly string[]): string {
  const paths = [files[0]!, files.at(-1)!].map((path) => `${folder}/${path}`);
  return files.length === 1 ? paths[0]! : `${paths[0]} to ${files.at(-1)}`;
}

/** The flags with which an import understands the files. */
function importArguments(dataset: Dataset, outcome: ExportOutcome, format: string, folder: string): string {
  const { symbol, digits } = dataset.instrument;
  const flags = [`--symbol ${symbol}`];
  if (format === 'freqtrade' && dataset.kind === 'bars' && outcome.bidBars > 0) flags.push('--basis bid');
  if (outcome.digits > digits) flags.push(`--digits ${outcome.digits}`);
  return `${folder}/${patternOf(outcome.files)} ${flags.join(' ')}`;
}

/** The pattern of a shell that matches the files: their common start and end. */
function patternOf([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  let [start, end] = [first.length, first.length];
  for (const path of others) {
    while (!path.startsWith(first.slice(0, start))) start--;
    while (!path.endsWith(first.slice(first.length - end))) end--;
  }
  // A period is shown as a whole: 2014-0* would be as right, but harder to read.
  const head = first.slice(0, start).replace(/\d[\d-]*$/, '');
  const tail = first.slice(first.length - end).replace(/^[\d-]+/, '');
  return `${head}*${tail}`;
}

/** 512 B · 3.4 KB · 12.0 MB · 1.5 GB */
function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
