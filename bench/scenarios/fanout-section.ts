// Turns the rounds of a fan-out into figures, ratios and the notes that say what they mean.
import { BARS, type Bar } from '../bars.ts';
import type { ReadersResult } from '../load/ws-readers.ts';
import type { Latencies } from '../measure/latencies.ts';
import type { Contender, Rounds } from '../measure/rounds.ts';
import { median, ratios } from '../measure/statistics.ts';
import type { Figure, Line, Section, Verdict } from '../results.ts';
import { FANOUT_SYMBOLS } from './fanout-ticks.ts';
import { BARE, OURS, WS } from './scenario.ts';
import { disturbance, spoilt, usageFigures, usageNotes } from './usage.ts';

/** DESIGN.md sets its bars for this many connections. */
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
}

const perCpuSecond = ({ deliveries, serverCpu }: FanoutRound): number => deliveries / serverCpu;
const perSecond = ({ deliveries, seconds }: FanoutRound): number => deliveries / seconds;

export function fanoutSection({ connections, perReader, simRate, contenders, rounds }: FanoutFindings): Section {
  const many = connections.toLocaleString('en');
  const of = (name: string): readonly FanoutRound[] => rounds.get(name)!;
  const atBar = (bar: Bar): Bar | null => (connections === BAR_CONNECTIONS ? bar : null);
  const against = (name: string, bar: Bar): Verdict => ({
    what: `fan-out to ${many}: against ${name}`,
    unit: '×',
    values: ratios(of(OURS).map(perCpuSecond), of(name).map(perCpuSecond)),
    bar: atBar(bar),
    unjudged: contenders.find((contender) => contender.name === name)!.missing ?? spoilt([...of(OURS), ...of(name)]),
    caveat: disturbance([...of(OURS), ...of(name)]),
  });
  return {
    title: `Fan-out: ${many} connections × ${FANOUT_SYMBOLS.length} symbols`,
    lines: contenders.map(({ name, missing }): Line => ({ contender: name, missing, figures: figuresOf(of(name)) })),
    verdicts: [
      against(BARE, BARS.fanoutBare),
      against(WS, BARS.fanoutWs),
      {
        what: `fan-out to ${many}: p99, intake to reader's socket`,
        unit: 'ms',
        values: of(OURS).map(({ latencies }) => latencies.p99),
        bar: atBar(BARS.fanoutLatency),
        unjudged: disturbance(of(OURS)),
      },
      {
        what: `fan-out to ${many}: that p99 in those of ${BARE}`,
        unit: '×',
        values: ratios(
          of(OURS).map(({ latencies }) => latencies.p99),
          of(BARE).map(({ latencies }) => latencies.p99),
        ),
        bar: null,
        unjudged: null,
      },
    ],
    notes: [
      `Offered: ${Math.round(perReader).toLocaleString('en')} ticks/s to every reader, ${Math.round(perReader * connections).toLocaleString('en')} deliveries/s in all (ours: TICKWIRE_SIM_RATE=${simRate}; the peers: a recording of the same).`,
      'Ratios are of deliveries per CPU second of the server. One that cannot keep up (ws) leaves ticks out, and its ratio is that of what it can do.',
      'Latency: from the moment a batch of ticks enters the intake (peers: begins to be published) until a reader has it in its callback, at 20 readers spread over all. It includes the reader.',
      ...shortfalls(rounds, perReader * connections),
      ...usageNotes([...rounds.values()].flat(), 'readers’ process', ''),
    ],
  };
}

/** Anything that makes a round less than it should be is said. */
function shortfalls(rounds: Rounds<FanoutRound>, offered: number): string[] {
  return [...rounds].flatMap(([name, list]) => {
    const said: string[] = [];
    const share = median(list.map(perSecond)) / offered;
    if (share < 0.9) said.push(`${name} delivered ${Math.round(share * 100)} % of what was offered.`);
    const notices = list.reduce((sum, round) => sum + round.notices, 0);
    if (notices > 0) said.push(`${name} sent ${notices} slow or gap notices: some readers were conflated.`);
    const lost = list.reduce((sum, round) => sum + round.lost, 0);
    if (lost > 0) said.push(`${name} lost ${lost} connections.`);
    return said;
  });
}

function figuresOf(rounds: readonly FanoutRound[]): Figure[] {
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
    figure('p99', 'ms', true, ({ latencies }) => latencies.p99),
    figure('p99.9', 'ms', false, ({ latencies }) => latencies.p999),
    ...usageFigures(rounds),
    figure('server memory', 'MB', false, ({ serverBytes }) => serverBytes / 1e6),
  ];
}
