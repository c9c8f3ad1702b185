// The cost of a delivery and its latency by load, for all contenders.
import type { BrokerLoadResult } from '../load/broker-load.ts';
import { median } from '../measure/statistics.ts';
import type { Chart, ReportSection } from '../results.ts';
import { shortCount } from './broker-loads.ts';
import { type BrokerFindings, perCpuSecond, roundsOf } from './brokers-section.ts';
import { OURS } from './scenario.ts';

export function brokersGrowth(findings: readonly BrokerFindings[]): ReportSection {
  const chart = (title: string, unit: string, isEven: boolean, value: (round: BrokerLoadResult) => number): Chart[] => {
    const own = findings.filter(({ load }) => load.isEven === isEven);
    const names = own[0]?.contenders.filter(({ missing }) => missing === null).map(({ name }) => name) ?? [];
    if (own.length === 0) return [];
    return [
      {
        title: `${title}, by deliveries/s, ${isEven ? 'even feed' : 'steps of 10 ms'}`,
        unit,
        marks: own.map(({ load }) => [load.offered, shortCount(load.offered)] as const),
        series: names.map((name) => ({
          name,
          ours: name === OURS,
          points: own.map((at) => [at.load.offered, median(roundsOf(at, name).map(value))] as const),
        })),
      },
    ];
  };
  const cost = (round: BrokerLoadResult): number => 1e6 / perCpuSecond(round);
  const delay = ({ latencies }: BrokerLoadResult): number => latencies.p99;
  return {
    title: 'Brokers: cost and latency by load',
    lines: [],
    verdicts: [],
    charts: [false, true].flatMap((isEven) => [
      ...chart('Server CPU seconds per million deliveries', 's', isEven, cost),
      ...chart('p99 from due to the reader', 'ms', isEven, delay),
    ]),
    notes: [
      'One feeder pushes the same ticks to every contender over a socket: Tickwire over /ws/ingest, the bare server and the C server over a WebSocket, each broker in its own protocol. Readers use WebSocket with Tickwire, the bare server, the C server and NATS, and TCP with Redis and Mosquitto.',
      'Latency counts from the time at which a tick was due to be written, at 20 readers spread over all, which are read before any other. The n-th message of a symbol is its n-th tick: nothing is left out, which is checked.',
    ],
  };
}
