// The cost of a cluster compared with a single process: figures and targets.
import type { ReadersResult } from '../load/ws-readers.ts';
import type { Latencies } from '../measure/latencies.ts';
import type { Figure, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { disturbance, usageNotes } from './usage-notes.ts';

/** Ticks per second of the intake. */
export const TICKS_PER_SECOND = 5_000;
/** Readers of the fan-out, and messages per second to each. */
export const READERS = 500;
export const PER_READER = 200;

export interface ClusterRound {
  /** Microseconds of CPU per delivery. */
  readonly perDelivery: number;
  /** Microseconds of CPU per tick without readers, by process. */
  readonly perTick: Readonly<Record<string, number>>;
  readonly latencies: Latencies;
  /** `slow` and `gap` notices of all readers. */
  readonly notices: number;
  readonly usage: readonly ReadersResult[];
}

/** Processes whose CPU time counts for a tick. */
const BOTH = ['ingest', 'gateway'];
const ONE = ['process'];

const sumOf = ({ perTick }: ClusterRound, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + perTick[name]!, 0);

export function clusterSection(single: readonly ClusterRound[], cluster: readonly ClusterRound[]): ReportSection {
  const all = [...single, ...cluster];
  const usage = all.flatMap((round) => round.usage);
  const caveat = disturbance(usage);
  const notices = all.reduce((sum, round) => sum + round.notices, 0);
  const rate = TICKS_PER_SECOND.toLocaleString('en');
  const figures = (
    rounds: readonly ClusterRound[],
    counted: readonly string[],
    beside: readonly string[],
  ): Figure[] => {
    const figure = (name: string, unit: string, value: (round: ClusterRound) => number, plotted = false): Figure => ({
      name,
      unit,
      values: rounds.map(value),
      plotted,
    });
    return [
      figure('CPU per delivery', 'µs', ({ perDelivery }) => perDelivery, true),
      figure('CPU per tick', 'µs', (round) => sumOf(round, counted), true),
      ...beside.map((name) => figure(`… at ${name}`, 'µs', ({ perTick }) => perTick[name]!)),
      figure('p50', 'ms', ({ latencies }) => latencies.p50),
      figure('p99', 'ms', ({ latencies }) => latencies.p99, true),
      figure('p99.9', 'ms', ({ latencies }) => latencies.p999),
    ];
  };
  return {
    title: 'A cluster beside the single process',
    lines: [
      {
        contender: 'Tickwire, ingest and gateway',
        missing: null,
        figures: figures(cluster, BOTH, [...BOTH, 'Redis']),
      },
      { contender: 'Tickwire, single process', missing: null, figures: figures(single, ONE, []) },
    ],
    verdicts: [
      {
        what: 'cluster: CPU per delivery at a gateway, against the single process',
        unit: '×',
        values: cluster.map(({ perDelivery }, round) => perDelivery / single[round]!.perDelivery),
        bar: TARGETS.clusterDelivery,
        unjudged: null,
        caveat,
      },
      {
        what: 'cluster: CPU per tick at ingest and gateway, against the single process',
        unit: '×',
        values: cluster.map((each, round) => sumOf(each, BOTH) / sumOf(single[round]!, ONE)),
        bar: TARGETS.clusterTick,
        unjudged: null,
        caveat,
      },
      {
        what: `cluster: from the intake to a reader of a gateway at ${rate} ticks/s, p99`,
        unit: 'ms',
        values: cluster.map(({ latencies }) => latencies.p99),
        bar: TARGETS.clusterLatency,
        unjudged: null,
        caveat,
      },
    ],
    notes: [
      `Deliveries: ${READERS} readers that get ${PER_READER} messages a second each. Ticks: ${rate} a second with nobody who reads; all that the processes do is in it (simulation, engine, views, recording: in files there, in PostgreSQL here). Redis's own share stands beside it and is not in the ratio, nor is that of PostgreSQL.`,
      'Latency: 20 readers on another core; what the journal adds is mostly the 5 ms for which it gathers batches.',
      ...(notices > 0 ? [`${notices} slow or gap notices: some readers did not get everything.`] : []),
      ...usageNotes(usage, 'load', ''),
    ],
  };
}
