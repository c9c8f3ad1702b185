// Ticks per second through intake, engine and journal on one core, then with each consumer of the journal added.
import { join } from 'node:path';
import { ACTIVE, ALERTS, type EngineStage } from '../contenders/engine-pipeline.ts';
import type { EngineResult } from '../contenders/engine-run.ts';
import type { ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const RUN = join(import.meta.dir, '../contenders/engine-run.ts');
const TIMEOUT_MS = 180_000;

const NAMES: Readonly<Record<EngineStage, string>> = {
  engine: 'intake → engine → journal',
  signals: `… + verifier with ${ACTIVE.toLocaleString('en')} signals`,
  view: '… + view',
  gateway: '… + gateway without listeners',
  recorder: '… + recorder, encoding without disk',
  alerts: `… + ${ALERTS.toLocaleString('en')} alerts of all kinds, near to far`,
};

export const engine: Scenario = {
  steps: () => 1,
  async run({ children, cores, progress, quiet, quick, rounds }) {
    const ticks = quick ? 300_000 : 1_000_000;
    progress.show(`engine: ${ticks.toLocaleString('en')} ticks through each stage, ${rounds} rounds`);
    await quiet.wait();
    const command = [...cores.server, process.execPath, RUN, String(ticks), String(rounds)];
    const result = await children.job<EngineResult>(command, TIMEOUT_MS);
    progress.advance();
    return [sectionOf(result)];
  },
};

function sectionOf({ ticks, minutes, closings, seconds }: EngineResult): ReportSection {
  const rate = (stage: EngineStage): number[] => seconds[stage].map((taken) => ticks / taken);
  const stages = Object.keys(NAMES) as EngineStage[];
  return {
    title: 'Engine: ticks per second of CPU time in one process on one core',
    lines: stages.map(
      (stage): ReportRow => ({
        contender: NAMES[stage],
        missing: null,
        figures: [
          { name: 'ticks/s', unit: '', values: rate(stage) },
          {
            name: 'per tick',
            unit: 'ns',
            values: seconds[stage].map((taken) => (taken * 1e9) / ticks),
          },
        ],
      }),
    ),
    verdicts: [
      {
        what: 'engine: intake → engine → journal',
        unit: 'ticks/s',
        values: rate('engine'),
        bar: TARGETS.journal,
        unjudged: null,
      },
      {
        what: `engine: intake → engine → journal → verifier, ${ACTIVE.toLocaleString('en')} active signals`,
        unit: 'ticks/s',
        values: rate('signals'),
        bar: TARGETS.signals,
        unjudged: null,
      },
      {
        what: 'engine: with view, gateway, recorder',
        unit: 'ticks/s',
        values: rate('recorder'),
        bar: TARGETS.pipeline,
        unjudged: null,
      },
      {
        what: `engine: all of it, with ${ALERTS.toLocaleString('en')} alerts`,
        unit: 'ticks/s',
        values: rate('alerts'),
        bar: TARGETS.pipelineAlerts,
        unjudged: null,
      },
    ],
    notes: [
      `${ticks.toLocaleString('en')} quotes and trades of ${minutes.toFixed(1)} simulated minutes over midnight, made beforehand; six timeframes and order flow; batches of 1,000.`,
      `The signals are spread over all instruments, from near to far; ${closings.toLocaleString('en')} of them closed and were replaced, which is in the time.`,
    ],
  };
}
