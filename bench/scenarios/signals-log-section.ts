// Converts the measurements of the signal log and of publishing into figures, target checks and notes.
import type { LogCheck } from '../contenders/log-verification.ts';
import type { RecordCheck, RecordChecks } from '../contenders/record-check-run.ts';
import type { CheckRun } from '../contenders/verify-run.ts';
import type { PublishResult } from '../load/publish-load.ts';
import type { Figure, ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { disturbance, heavilyDisturbed, usageFigures, usageNotes } from './usage-notes.ts';

/** Concurrent publications: one sync of the disk stores all that arrive together. */
export const PUBLISHING = 64;
/** Records in the log of the target. */
export const WHOLE_LOG = 50_000;
/** Fewer records in memory are checked before their code is compiled. */
const JUDGED_RECORDS = 10_000;

const perSecond = (count: number, seconds: readonly number[]): number[] => seconds.map((taken) => count / taken);
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
  const rate = (check: LogCheck, seconds: 'seconds' | 'cpuSeconds'): number[] =>
    runs[check].map((run) => records / run[seconds]);
  const { ticks, confirmed, closed } = runs.tape[0]!;
  const line = (contender: string, byCpu: readonly number[], seconds: readonly number[]): ReportRow => ({
    contender,
    missing: null,
    figures: [
      { name: 'records/s', unit: '', values: seconds.map((taken) => records / taken), plotted: true },
      { name: 'records per CPU second', unit: '', values: byCpu, plotted: false },
      { name: 'taken', unit: 's', values: seconds, plotted: false },
    ],
  });
  return {
    title: `Verify: a log of ${whole(records)} records on this machine`,
    lines: [
      ...(Object.keys(CHECK_NAMES) as LogCheck[]).map((check) =>
        line(
          CHECK_NAMES[check],
          rate(check, 'cpuSeconds'),
          runs[check].map(({ seconds }) => seconds),
        ),
      ),
      line('tickwire verify, from start to end', [], command),
    ],
    verdicts: [
      {
        what: 'verify: without the tape',
        unit: 'records/s',
        values: rate('log', 'seconds'),
        bar: TARGETS.verify,
        unjudged: records < WHOLE_LOG ? 'the bar is for a log of 50,000 records' : null,
      },
      { what: 'verify: with the tape', unit: 'records/s', values: rate('tape', 'seconds'), bar: null, unjudged: null },
    ],
    notes: [
      `Chain, evidence, rules and the rows beside the log are in it; nothing false was found (checked). With the tape, ${whole(confirmed)} of ${whole(closed)} lives are judged again from ${whole(ticks)} ticks, one day sealed and one not.`,
      'Every check is a new process, as the command is: nothing is warmed up. The start of the process is only in the last line, whose tape is looked at too.',
      'Judged by the clock, on all cores, without the start of the process. The compiler of the runtime takes about half a second of another core, however long the log is.',
    ],
  };
}

export function recordsSection({ unsigned, signed }: RecordChecks): ReportSection {
  const figures = ({ records, signatures, seconds, cpuSeconds }: RecordCheck): Figure[] => [
    { name: 'records/s', unit: '', values: perSecond(records, seconds), plotted: true },
    { name: 'signatures/s', unit: '', values: perSecond(signatures, seconds), plotted: false },
    { name: 'records per CPU second', unit: '', values: perSecond(records, cpuSeconds), plotted: false },
    { name: 'signatures per CPU second', unit: '', values: perSecond(signatures, cpuSeconds), plotted: false },
  ];
  const unjudged = unsigned.records < JUDGED_RECORDS ? `the bar is for ${whole(JUDGED_RECORDS)} records` : null;
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
        values: perSecond(unsigned.records, unsigned.seconds),
        bar: TARGETS.verify,
        unjudged,
      },
      {
        what: 'verify: signed records of version 2',
        unit: 'records/s',
        values: perSecond(signed.signatures, signed.seconds),
        bar: TARGETS.verifySigned,
        unjudged,
      },
    ],
    notes: [
      `Random signals with targets, amendments and requests: chain, order in time and rules of every record (checked: no faults). ${whole(signed.signatures)} of the ${whole(signed.records)} records of the second log are signed, and only those count for its bar. Other threads verify the signatures.`,
      'Judged by the clock, on all cores, after five rounds of warm-up.',
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
  const perCpu = figure(
    'signals per server CPU second',
    '',
    false,
    ({ published, serverCpu }) => published / serverCpu,
  );
  const p99 = figure('p99', 'ms', true, (round) => round.p99);
  return {
    title: `Publishing: POST /api/signals, ${PUBLISHING} at a time`,
    lines: [
      {
        contender: 'tickwire serve',
        missing: null,
        figures: [rate, perCpu, figure('p50', 'ms', true, (round) => round.p50), p99, ...usageFigures(rounds)],
      },
    ],
    verdicts: [
      {
        what: 'publishing',
        unit: 'signals/s',
        values: rate.values,
        bar: TARGETS.publishing,
        unjudged: disturbance(rounds),
      },
      {
        what: 'publishing: per CPU second of the server',
        unit: 'signals/s',
        values: perCpu.values,
        bar: TARGETS.publishing,
        unjudged: heavilyDisturbed(rounds),
      },
      { what: 'publishing: p99', unit: 'ms', values: p99.values, bar: null, unjudged: null },
    ],
    notes: [
      `Every one has an Idempotency-Key and was answered 201 (checked), which is after its record and the tape before it are on the disk; the log had ${whole(records)} records at the end.`,
      'Simulated markets tick meanwhile, and judge all that is active.',
      ...usageNotes(rounds, 'load', ''),
    ],
  };
}
