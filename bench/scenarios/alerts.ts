// Ticks per second through the engine with its signals, without and with alerts behind it, and whether a tick costs more with more
// alerts and more signals.
import { join } from 'node:path';
import { ALERT_RUNS, type AlertRun, type AlertsResult } from '../contenders/alerts-run.ts';
import { SIGNAL_COUNTS } from '../contenders/judging-cost.ts';
import { ratios } from '../measure/statistics.ts';
import type { ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const RUN = join(import.meta.dir, '../contenders/alerts-run.ts');
const TIMEOUT_MS = 300_000;

const count = (run: AlertRun): string => ALERT_RUNS[run].count.toLocaleString('en');
const [FEW, MANY] = SIGNAL_COUNTS;
const NAMES: Readonly<Record<AlertRun, string>> = {
  empty: 'intake → engine → journal → verifier, 10,000 signals, alert book without alerts',
  near: `… + ${count('near')} alerts, near to far`,
  few: `… + ${count('few')} alerts`,
  many: `… + ${count('many')} alerts, all but ${count('few')} out of reach`,
};

export const alerts: Scenario = {
  steps: () => 1,
  async run({ children, cores, progress, quiet, quick, rounds }) {
    const ticks = quick ? 150_000 : 1_000_000;
    progress.show(`alerts: ${ticks.toLocaleString('en')} ticks, ${rounds} rounds`);
    await quiet.wait();
    const command = [...cores.server, process.execPath, RUN, String(ticks), String(rounds)];
    const result = await children.job<AlertsResult>(command, TIMEOUT_MS);
    progress.advance();
    return [sectionOf(result)];
  },
};

function sectionOf({ ticks, seconds, fired, judging }: AlertsResult): ReportSection {
  const rate = (run: AlertRun): number[] => seconds[run].map((taken) => ticks / taken);
  return {
    title: 'Alerts: ticks per second of CPU time in one process on one core',
    lines: (Object.keys(NAMES) as AlertRun[]).map(
      (run): ReportRow => ({
        contender: NAMES[run],
        missing: null,
        figures: [
          { name: 'ticks/s', unit: '', values: rate(run) },
          { name: 'per tick', unit: 'ns', values: seconds[run].map((taken) => (taken * 1e9) / ticks) },
        ],
      }),
    ),
    verdicts: [
      {
        what: `alerts: throughput with ${count('near')}, of that without`,
        unit: '×',
        values: ratios(seconds.empty, seconds.near),
        bar: TARGETS.alertsCost,
        unjudged: null,
      },
      {
        what: `alerts: time per tick with ${count('many')}, of that with ${count('few')}`,
        unit: '×',
        values: ratios(seconds.many, seconds.few),
        bar: TARGETS.alertsFlat,
        unjudged: null,
      },
      {
        what: `signals: time per quote with ${MANY.toLocaleString('en')}, of that with ${FEW}`,
        unit: '×',
        values: ratios(judging[MANY], judging[FEW]),
        bar: TARGETS.signalsFlat,
        unjudged: null,
      },
    ],
    notes: [
      `${ticks.toLocaleString('en')} quotes and trades. Alerts of every kind on all instruments that fire every time; ${fired.near.toLocaleString('en')} firings with ${count('near')} alerts, ${fired.few.toLocaleString('en')} with ${count('few')} and as many more out of reach.`,
      `Signals: CPU time of the verifier alone, with ${FEW} signals near the market of one instrument and the others out of reach.`,
    ],
  };
}
