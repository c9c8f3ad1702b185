// Converts the measurements of judging signals into figures, target checks and explanatory notes.
import { ACTIVE } from '../contenders/engine-pipeline.ts';
import type { SignalsStage } from '../contenders/signals-pipeline.ts';
import type { SignalsResult } from '../contenders/signals-run.ts';
import type { VerifierResult } from '../contenders/verifier-run.ts';
import { SEGMENTS, SIZES, type Size, type Workload } from '../contenders/verifier-workload.ts';
import { ratios } from '../measure/statistics.ts';
import type { Figure, ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { PER_CPU_SECOND } from './usage-notes.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const CHAIN_NAMES: Readonly<Record<SignalsStage, string>> = {
  engine: 'intake → engine → journal',
  verifier: '… + verifier',
  desk: '… + desk, ledger without disk',
};

export function chainSection({ ticks, hours, rounds }: SignalsResult): ReportSection {
  const perCpuSecond = (stage: SignalsStage): number[] => rounds[stage].map(({ cpuSeconds }) => ticks / cpuSeconds);
  const lines = (Object.keys(CHAIN_NAMES) as SignalsStage[]).map((stage): ReportRow => {
    const figure = (name: string, unit: string, plotted: boolean, values: readonly number[]): Figure => ({
      name,
      unit,
      plotted,
      values,
    });
    const runs = rounds[stage];
    return {
      contender: CHAIN_NAMES[stage],
      missing: null,
      figures: [
        figure('ticks per CPU second', '', true, perCpuSecond(stage)),
        figure(
          'ticks/s',
          '',
          false,
          runs.map(({ seconds }) => ticks / seconds),
        ),
        figure(
          'per tick',
          'ns',
          false,
          runs.map(({ cpuSeconds }) => (cpuSeconds * 1e9) / ticks),
        ),
        figure(
          'closings per 1,000 ticks',
          '',
          false,
          runs.map(({ closings }) => (1000 * closings) / ticks),
        ),
      ],
    };
  });
  const { closings = 0, fills = 0 } = rounds.verifier[0] ?? {};
  return {
    title: `Signals: ${whole(ACTIVE)} active on the one instrument that ticks`,
    lines,
    verdicts: [
      {
        what: `signals: intake → engine → journal → verifier, ${whole(ACTIVE)} on one instrument`,
        unit: 'ticks/s',
        values: perCpuSecond('verifier'),
        bar: TARGETS.engine,
        unjudged: null,
      },
      {
        what: 'signals: … with desk and ledger',
        unit: 'ticks/s',
        values: perCpuSecond('desk'),
        bar: null,
        unjudged: null,
      },
    ],
    notes: [
      `${whole(ticks)} quotes and trades of BTCUSD over ${hours.toFixed(1)} simulated hours across midnight, made beforehand; six timeframes and order flow; batches of 1,000.`,
      `Levels lie 0.02 % to 1 % from the market, half of the entries wait, a third expires within 4 hours. ${whole(closings)} closed and ${whole(fills)} waiting entries filled; after each batch as many were published anew. All of that is in the time.`,
      'With desk and ledger, every publication and every closing is a record that is made, hashed and chainRecord; nothing is written to a disk.',
      PER_CPU_SECOND,
    ],
  };
}

/** Active signals that the target requires. */
const JUDGED: Size = 10_000;

const WORK_NAMES: Readonly<Record<Workload, string>> = {
  idle: 'per quote, nothing reached',
  closing: 'per quote, the same closings',
};

export function verifierSection({ recorded, hours, quotes, rounds }: VerifierResult): ReportSection {
  const nanos = (work: Workload, size: Size): number[] =>
    rounds[work][size].map(({ cpuSeconds }) => (cpuSeconds * 1e9) / quotes);
  const [fewest, most] = [SIZES[0], SIZES[SIZES.length - 1]!];
  const works = Object.keys(WORK_NAMES) as Workload[];
  const closings = rounds.closing[fewest][0]!.closings / SEGMENTS;
  return {
    title: 'Verifier alone: a quote with more and more active signals on its instrument',
    lines: SIZES.map((size) => ({
      contender: `${whole(size)} active`,
      missing: null,
      figures: [
        ...works.map((work) => ({ name: WORK_NAMES[work], unit: 'ns', values: nanos(work, size), plotted: true })),
        {
          name: 'so per closing',
          unit: 'µs',
          values: nanos('closing', size).map(
            (taken, round) => ((taken - nanos('idle', size)[round]!) * quotes) / closings / 1000,
          ),
          plotted: true,
        },
      ],
    })),
    verdicts: works.flatMap((work) => {
      const reached = work === 'idle' ? 'nothing reached' : 'the same closings';
      return [
        {
          what: `verifier: ${whole(JUDGED)} signals of three targets, ${reached}`,
          unit: 'ticks/s',
          values: nanos(work, JUDGED).map((taken) => 1e9 / taken),
          // Closings are a cost of their own: the bar is that of a tick.
          bar: work === 'idle' ? TARGETS.judging : null,
          unjudged: null,
        },
        {
          what: `verifier: ${whole(most)} against ${whole(fewest)} signals, ${reached}`,
          unit: '×',
          values: ratios(nanos(work, most), nanos(work, fewest)),
          bar: TARGETS.signalsFlat,
          unjudged: null,
        },
      ];
    }),
    notes: [
      `${whole(recorded)} quotes of BTCUSD over ${(60 * hours).toFixed(0)} simulated minutes, read forwards and backwards until they are ${whole(quotes)}, few enough to stay in the cache; the best of ${SEGMENTS} such stretches; CPU time of the verifier reading them and taking signals in, nothing else; the sizes take turns.`,
      `"Nothing reached": every level is 5 % to 19 % away. "The same closings": at every size the same 100 signals lie 0.03 % to 0.1 % from the market, the others out of reach; the same ${whole(closings)} closed (checked: ${((1000 * closings) / quotes).toFixed(1)} per 1,000 quotes) and were replaced. Making and accepting the new ones is outside the time, taking them in is inside.`,
      'In life ten times the signals have ten times the closings: the chain above has 10,000 signals with the closings they have by nature.',
    ],
  };
}
