// Converts the rounds of a fan-out into figures, ratios and explanatory notes.
import type { ReadersResult } from '../load/ws-readers.ts';
import type { Latencies } from '../measure/latencies.ts';
import type { Contender, Rounds } from '../measure/rounds.ts';
import { median, ratios } from '../measure/statistics.ts';
import type { Chart, Figure, ReportRow, ReportSection, TargetCheck } from '../results.ts';
import { TARGETS, type Target } from '../targets.ts';
import { calibrationNote, type LoadCalibration } from './calibration.ts';
import { FANOUT_SYMBOLS } from './fanout-ticks.ts';
import { BARE, OURS, SEND, WS } from './scenario.ts';
import { disturbance, heavilyDisturbed, usageFigures, usageNotes } from './usage-notes.ts';

/** Number of connections of the targets in DESIGN.md. */
const BAR_CONNECTIONS = 1_000;

export interface FanoutRound extends ReadersResult {
  readonly latencies: Latencies;
}

export interface FanoutFindings {
  readonly connections: number;
  readonly perReader: number;
  readonly simRate: number;
  readonly contenders: readonly Contender<FanoutRound>[];
  readonly rounds: Rounds<FanoutRound>;
  readonly calibration: LoadCalibration;
}

export const perCpuSecond = ({ deliveries, serverCpu }: FanoutRound): number => deliveries / serverCpu;
export const perSecond = ({ deliveries, seconds }: FanoutRound): number => deliveries / seconds;
export const perConnection = ({ serverBytes, serverBytesBefore }: FanoutRound, connections: number): number =>
  (serverBytes - serverBytesBefore) / 1024 / connections;

export function fanoutSection(findings: FanoutFindings): ReportSection {
  const { connections, perReader, simRate, contenders, rounds, calibration } = findings;
  const many = connections.toLocaleString('en');
  const of = (name: string): readonly FanoutRound[] => rounds.get(name)!;
  const atBar = (bar: Target): Target | null => (connections === BAR_CONNECTIONS ? bar : null);
  const against = (name: string, bar: Target): TargetCheck => ({
    what: `fan-out to ${many}: against ${name}`,
    unit: '×',
    values: ratios(of(OURS).map(perCpuSecond), of(name).map(perCpuSecond)),
    bar: atBar(bar),
    unjudged:
      contenders.find((contender) => contender.name === name)!.missing ?? heavilyDisturbed([...of(OURS), ...of(name)]),
    caveat: disturbance([...of(OURS), ...of(name)]),
  });
  return {
    title: `Fan-out: ${many} connections × ${FANOUT_SYMBOLS.length} symbols`,
    lines: contenders.map(
      ({ name, missing }): ReportRow => ({ contender: name, missing, figures: figuresOf(of(name), connections) }),
    ),
    charts: [latencyChart(findings)],
    verdicts: [
      against(BARE, TARGETS.fanoutBare),
      against(WS, TARGETS.fanoutWs),
      {
        what: `fan-out to ${many}: p99, intake to reader's socket`,
        unit: 'ms',
        values: of(OURS).map(({ latencies }) => latencies.p99),
        bar: atBar(TARGETS.fanoutLatency),
        unjudged: disturbance(of(OURS)),
      },
      ...[BARE, SEND].map(
        (name): TargetCheck => ({
          what: `fan-out to ${many}: that p99 in those of ${name}`,
          unit: '×',
          values: ratios(
            of(OURS).map(({ latencies }) => latencies.p99),
            of(name).map(({ latencies }) => latencies.p99),
          ),
          bar: null,
          unjudged: null,
        }),
      ),
    ],
    notes: [
      `Offered: ${Math.round(perReader).toLocaleString('en')} ticks/s to every reader, ${Math.round(perReader * connections).toLocaleString('en')} deliveries/s in all (ours: TICKWIRE_SIM_RATE=${simRate}; the peers: a recording of the same).`,
      'Ratios are of deliveries per CPU second of the server. One that cannot keep up (ws) leaves ticks out, and its ratio is that of what it can do.',
      'Latency: from the moment a batch of ticks enters the intake (peers: begins to be published) until a reader has it, at 20 readers spread over all, which are read before any other. The ticks of one step go to all readers in one go: what that takes, from the first reader to the last, bounds it from below, and plain send() shows what the kernel takes for that alone.',
      'Memory per connection: over what the server had before its first reader, its own warming up included.',
      calibrationNote(calibration),
      ...shortfalls(rounds, perReader * connections),
      ...usageNotes([...rounds.values()].flat(), 'readers’ process', ''),
    ],
  };
}

/** Notes on everything that impairs a round. */
function shortfalls(rounds: Rounds<FanoutRound>, offered: number): string[] {
  return [...rounds].flatMap(([name, list]) => {
    const notes: string[] = [];
    const share = median(list.map(perSecond)) / offered;
    if (share < 0.9) notes.push(`${name} delivered ${Math.round(share * 100)} % of what was offered.`);
    const notices = list.reduce((sum, round) => sum + round.notices, 0);
    if (notices > 0) notes.push(`${name} sent ${notices} slow or gap notices: some readers were conflated.`);
    const lost = list.reduce((sum, round) => sum + round.lost, 0);
    if (lost > 0) notes.push(`${name} lost ${lost} connections.`);
    return notes;
  });
}

/** One delivery in this many is slower. */
const TAIL = [
  [2, 'p50'],
  [10, 'p90'],
  [100, 'p99'],
  [1_000, 'p99.9'],
] as const;

function latencyChart({ contenders, rounds }: FanoutFindings): Chart {
  const middle = (name: string, of: (latencies: Latencies) => number): number =>
    median(rounds.get(name)!.map(({ latencies }) => of(latencies)));
  return {
    title: 'Latency, by how many are slower',
    unit: 'ms',
    marks: TAIL,
    log: 'both',
    series: contenders
      .filter(({ missing }) => missing === null)
      .map(({ name }) => ({
        name,
        ours: name === OURS,
        points: [
          [2, middle(name, ({ p50 }) => p50)],
          [10, middle(name, ({ p90 }) => p90)],
          [100, middle(name, ({ p99 }) => p99)],
          [1_000, middle(name, ({ p999 }) => p999)],
        ],
      })),
  };
}

function figuresOf(rounds: readonly FanoutRound[], connections: number): Figure[] {
  const figure = (name: string, unit: string, plotted: boolean, value: (round: FanoutRound) => number): Figure => ({
    name,
    unit,
    plotted,
    values: rounds.map(value),
  });
  return [
    figure('server CPU seconds per million deliveries', 's', true, (round) => 1e6 / perCpuSecond(round)),
    figure('deliveries/s', '', true, perSecond),
    figure('p50', 'ms', false, ({ latencies }) => latencies.p50),
    figure('p99', 'ms', false, ({ latencies }) => latencies.p99),
    figure('p99.9', 'ms', false, ({ latencies }) => latencies.p999),
    figure('a batch, first to last reader, p99', 'ms', false, ({ latencies }) => latencies.spreadP99),
    ...usageFigures(rounds),
    figure('server memory', 'MB', false, ({ serverBytes }) => serverBytes / 1e6),
    figure('memory per connection', 'KB', false, (round) => perConnection(round, connections)),
  ];
}
