// Files of history: a year of minutes and a million ticks of a store, in each format, beside a program that holds all rows in
// memory and uses the library's own conversion.
import { join } from 'node:path';
import type { HistoryCase, HistoryResult } from '../contenders/history-run.ts';
import { ratios } from '../measure/statistics.ts';
import type { ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const RUN = join(import.meta.dir, '../contenders/history-run.ts');
const TIMEOUT_MS = 600_000;
/** A year of a market that closes on weekends. */
const YEAR_BARS = 372_000;
const QUICK_BARS = 60_000;
const TICKS = 1_000_000;
const QUICK_TICKS = 200_000;

const NAMES: Readonly<Record<HistoryCase, string>> = {
  read: 'bars: read and discard',
  csv: 'bars to CSV',
  ndjson: 'bars to NDJSON',
  parquet: 'bars to Parquet',
  'plain csv': 'bars to CSV, all in memory, join()',
  'plain parquet': 'bars to Parquet, all in memory, parquetWrite()',
  ticks: 'ticks from the tape: read and discard',
  'ticks to csv': 'ticks from the tape to CSV',
};

export const history: Scenario = {
  steps: () => 1,
  async run({ children, cores, folder, progress, quiet, quick, rounds }) {
    const [bars, ticks] = quick ? [QUICK_BARS, QUICK_TICKS] : [YEAR_BARS, TICKS];
    progress.show(`history: ${bars.toLocaleString('en')} bars and ${ticks.toLocaleString('en')} ticks as files`);
    await quiet.wait();
    const command = [...cores.server, process.execPath, RUN, folder(), String(bars), String(ticks), String(rounds)];
    const result = await children.job<HistoryResult>(command, TIMEOUT_MS);
    progress.advance();
    return [sectionOf(result, quick)];
  },
};

function sectionOf({ bars, ticks, seconds, bytes, memory }: HistoryResult, quick: boolean): ReportSection {
  const rowsOf = (name: HistoryCase): number => (name.startsWith('ticks') ? ticks : bars);
  const rate = (name: HistoryCase): number[] => seconds[name].map((taken) => rowsOf(name) / taken);
  const forYear = quick ? 'the target is for a year of minutes' : null;
  const times = (name: HistoryCase, plain: HistoryCase) => ({
    what: `history: ${NAMES[name]}, times as fast as all in memory`,
    unit: '×',
    values: ratios(seconds[plain], seconds[name]),
    bar: null,
    unjudged: null,
  });
  return {
    title: 'History: rows per second of CPU time from the store to a file, on one core',
    lines: (Object.keys(NAMES) as HistoryCase[]).map(
      (name): ReportRow => ({
        contender: NAMES[name],
        missing: null,
        figures: [
          { name: 'rows/s', unit: '', values: rate(name), plotted: true },
          { name: 'CPU time', unit: 's', values: seconds[name], plotted: false },
          { name: 'file', unit: 'MB', values: [bytes[name] / 1e6], plotted: false },
        ],
      }),
    ),
    verdicts: [
      {
        what: 'history: a year of minutes as Parquet, time',
        unit: 's',
        values: seconds.parquet,
        bar: TARGETS.historyYear,
        unjudged: forYear,
      },
      {
        what: 'history: a year of minutes as Parquet, size',
        unit: 'MB',
        values: [bytes.parquet / 1e6],
        bar: TARGETS.historyYearSize,
        unjudged: forYear,
      },
      {
        what: 'history: bars to Parquet',
        unit: 'bars/s',
        values: rate('parquet'),
        bar: TARGETS.historyParquet,
        unjudged: null,
      },
      { what: 'history: bars to CSV', unit: 'bars/s', values: rate('csv'), bar: TARGETS.historyCsv, unjudged: null },
      {
        what: 'history: ticks from the tape',
        unit: 'ticks/s',
        values: rate('ticks'),
        bar: TARGETS.historyTicks,
        unjudged: null,
      },
      {
        what: 'history: ticks from the tape to CSV',
        unit: 'ticks/s',
        values: rate('ticks to csv'),
        bar: TARGETS.historyTicks,
        unjudged: null,
      },
      times('csv', 'plain csv'),
      times('parquet', 'plain parquet'),
      {
        what: 'history: memory while four times as many rows are written',
        unit: 'MB',
        values: [memory[1]],
        bar: TARGETS.historyMemory,
        unjudged: null,
        caveat: `${Math.round(memory[0])} MB for the year`,
      },
    ],
    notes: [
      `${bars.toLocaleString('en')} minute bars with prices of five decimals and ${ticks.toLocaleString('en')} quotes, in SQLite. Reading is part of the time of each format.`,
      'Memory is the peak above that before the file; the rows of this measurement are made as they are written.',
    ],
  };
}
