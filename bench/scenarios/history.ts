// Files of history: a year of minutes and a million ticks of a store.
import { join } from 'node:path';
import type { HistoryCase, HistoryResult } from '../contenders/history-run.ts';
import { YEAR_BARS } from '../contenders/year-of-minutes.ts';
import type { ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const RUN = join(import.meta.dir, '../contenders/history-run.ts');
const TIMEOUT_MS = 600_000;
const QUICK_BARS = 60_000;
const TICKS = 1_000_000;
const QUICK_TICKS = 200_000;

const NAMES: Readonly<Record<HistoryCase, string>> = {
  csv: 'bars to CSV',
  parquet: 'bars to Parquet',
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
    return [sectionOf(result)];
  },
};

function sectionOf({ bars, ticks, seconds }: HistoryResult): ReportSection {
  const rowsOf = (name: HistoryCase): number => (name.startsWith('ticks') ? ticks : bars);
  const rate = (name: HistoryCase): number[] => seconds[name].map((taken) => rowsOf(name) / taken);
  return {
    title: 'History: rows per second of CPU time from the store to a file, on one core',
    lines: (Object.keys(NAMES) as HistoryCase[]).map(
      (name): ReportRow => ({
        contender: NAMES[name],
        missing: null,
        figures: [
          { name: 'rows/s', unit: '', values: rate(name) },
          { name: 'CPU time', unit: 's', values: seconds[name] },
        ],
      }),
    ),
    verdicts: [
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
    ],
    notes: [
      `${bars.toLocaleString('en')} minute bars with prices of five decimals and ${ticks.toLocaleString('en')} quotes, in SQLite. Reading is part of the time of each format.`,
    ],
  };
}
