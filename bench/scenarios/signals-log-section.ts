// Converts the measurements of the signal log and of publishing into figures, target checks and notes.
import type { LogCheck } from '../contenders/log-verification.ts';
import type { RecordCheck, RecordChecks } from '../contenders/record-check-run.ts';
import type { CheckRun } from '../contenders/verify-run.ts';
import type { PublishResult } from '../load/publish-load.ts';
import type { Figure, ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { PER_CPU_SECOND, usageFigures, usageNotes } from './usage-notes.ts';

/** Concurrent publications. */
export const PUBLISHING = 16;
/** Records in the log of the target. */
export const WHOLE_LOG = 50_000;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

export interface LogChecks {
  readonly runs: Readonly<Record<LogCheck, CheckRun[]>>;
  /** Duration of the whole command in seconds. */
  readonly command: readonly number[];
  readonly verified: { readonly records: number };
}

const CHECK_NAMES: Readonly<Record<LogCheck, string>> = {
  hash: 'read and hash alone',
  log: 'verify without the tape',
  tape: 'verify with the tape',
};

export function logSection({ runs, command, verified: { records } }: LogChecks): ReportSection {
  const perCpuSecond = (check: LogCheck): number[] => runs[check].map(({ cpuSeconds }) => records / cpuSeconds);
  const { ticks, confirmed, closed } = runs.tape[0]!;
  const line = (contender: string, byCpu: readonly number[], seconds: readonly number[]): ReportRow => ({
    contender,
    missing: null,
    figures: [
      { name: 'records per CPU second', unit: '', values: byCpu, plotted: true },
      { name: 'records/s', unit: '', values: seconds.map((taken) => records / taken), plotted: false },
      { name: 'taken', unit: 's', values: seconds, plotted: false },
    ],
  });
  return {
    title: `Verify: a log of ${whole(records)} records on this machine`,
    lines: [
      ...(Object.keys(CHECK_NAMES) as LogCheck[]).map((check) =>
        line(
          CHECK_NAMES[check],
          perCpuSecond(check),
          runs[check].map(({ seconds }) => seconds),
        ),
      ),
      line('tickwire verify, from start to end', [], command),
    ],
    verdicts: [
      {
        what: 'verify: without the tape',
        unit: 'records/s',
        values: perCpuSecond('log'),
        bar: TARGETS.verify,
        unjudged: records < WHOLE_LOG ? 'the bar is for a log of 50,000 records' : null,
      },
      { what: 'verify: with the tape', unit: 'records/s', values: perCpuSecond('tape'), bar: null, unjudged: null },
    ],
    notes: [
      `Chain, evidence, rules and the rows beside the log are in it; nothing false was found (checked). With the tape, ${whole(confirmed)} of ${whole(closed)} lives are judged again from ${whole(ticks)} ticks, one day sealed and one not.`,
      'Every check is a new process, as the command is: nothing is warmed up. The start of the process is only in the last line, whose tape is looked at too.',
      PER_CPU_SECOND,
    ],
  };
}

export function recordsSection({ unsigned, signed }: RecordChecks): ReportSection {
  const figures = ({ records, signatures, seconds, cpuSeconds }: RecordCheck): Figure[] => [
    { name: 'records per CPU second', unit: '', values: cpuSeconds.map((taken) => records / taken), plotted: true },
    { name: 'records/s', unit: '', values: seconds.map((taken) => records / taken), plotted: false },
    { name: 'signatures/s', unit: '', values: seconds.map((taken) => signatures / taken), plotted: false },
  ];
  return {
    title: `Verify: ${whole(unsigned.records)} records of rules version 2, in memory`,
    lines: [
      { contender: 'unsigned', missing: null, figures: figures(unsigned) },
      { contender: 'all requests signed', missing: null, figures: figures(signed) },
    ],
    verdicts: [
      {
        what: 'verify: unsigned records of version 2',
        unit: 'records/s',
        values: unsigned.cpuSeconds.map((taken) => unsigned.records / taken),
        bar: TARGETS.verify,
        unjudged: null,
      },
      {
        what: 'verify: signed records of version 2',
        unit: 'records/s',
        values: signed.seconds.map((taken) => signed.signatures / taken),
        bar: TARGETS.verifySigned,
        unjudged: null,
      },
    ],
    notes: [
      `Random signals with targets, amendments and requests: chain, order in time and rules of every record (checked: no faults). ${whole(signed.signatures)} of the ${whole(signed.records)} records of the second log are signed; other threads verify the signatures, so their figure is per second of time.`,
      PER_CPU_SECOND,
    ],
  };
}

export function publishSection(rounds: readonly PublishResult[], records: number): ReportSection {
  const figure = (name: string, unit: string, plotted: boolean, value: (round: PublishResult) => number): Figure => ({
    name,
    unit,
    plotted,
    values: rounds.map(value),
  });
  const rate = figure('signals/s', '', true, ({ published, seconds }) => published / seconds);
  const p99 = figure('p99', 'ms', true, (round) => round.p99);
  return {
    title: `Publishing: POST /api/signals, ${PUBLISHING} at a time`,
    lines: [
      {
        contender: 'tickwire serve',
        missing: null,
        figures: [
          rate,
          figure('signals per server CPU second', '', false, ({ published, serverCpu }) => published / serverCpu),
          figure('p50', 'ms', true, (round) => round.p50),
          p99,
          ...usageFigures(rounds),
        ],
      },
    ],
    verdicts: [
      { what: 'publishing', unit: 'signals/s', values: rate.values, bar: null, unjudged: null },
      { what: 'publishing: p99', unit: 'ms', values: p99.values, bar: null, unjudged: null },
    ],
    notes: [
      `Every one has an Idempotency-Key and was answered 201 (checked), which is after its record and the tape before it are on the disk; the log had ${whole(records)} records at the end.`,
      'Simulated markets tick meanwhile, and judge all that is active.',
      ...usageNotes(rounds, 'load', ''),
    ],
  };
}
