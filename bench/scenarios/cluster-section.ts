// What the cluster cost beside the single process, in figures and against the bars.
import { BARS } from '../bars.ts';
import type { Figure, Section } from '../results.ts';
import { type ClusterRound, PER_READER, READERS, TICKS_PER_SECOND } from './cluster.ts';
import { disturbance, usageNotes } from './usage.ts';

/** Processes by whose CPU a tick is judged. */
const BOTH = ['ingest', 'gateway'];
const ONE = ['process'];

const sumOf = ({ perTick }: ClusterRound, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + perTick[name]!, 0);

export function clusterSection(single: readonly ClusterRound[], cluster: readonly ClusterRound[]): Section {
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
        bar: BARS.clusterDelivery,
        unjudged: null,
        caveat,
      },
      {
        what: 'cluster: CPU per tick at ingest and gateway, against the single process',
        unit: '×',
        values: cluster.map((each, round) => sumOf(each, BOTH) / sumOf(single[round]!, ONE)),
        bar: BARS.clusterTick,
        unjudged: null,
        caveat,
      },
      {
        what: `cluster: from the intake to a reader of a gateway at ${rate} ticks/s, p99`,
        unit: 'ms',
        values: cluster.map(({ latencies }) => latencies.p99),
        bar: BARS.clusterLatency,
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
