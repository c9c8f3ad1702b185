// How the fan-out scales with the number of connections, over all measured numbers.
import { median } from '../measure/statistics.ts';
import type { Chart, ReportSection, Series } from '../results.ts';
import { type FanoutFindings, type FanoutRound, perConnection, perCpuSecond, perSecond } from './fanout-section.ts';
import { BARE, OURS } from './scenario.ts';

type Measure = (round: FanoutRound, connections: number) => number;

export function growthSection(findings: readonly FanoutFindings[]): ReportSection {
  const marks = findings.map(({ connections }) => [connections, connections.toLocaleString('en')] as const);
  const series = (name: string, contender: string, measure: Measure, dashed = false): Series => ({
    name,
    ours: contender === OURS,
    dashed,
    points: findings.map(({ connections, rounds }) => [
      connections,
      median(rounds.get(contender)!.map((round) => measure(round, connections))),
    ]),
  });
  const both = (measure: Measure): Series[] => [series(OURS, OURS, measure), series(BARE, BARE, measure)];
  const chart = (title: string, unit: string, log: Chart['log'], lines: Series[]): Chart => ({
    title: `${title}, by connections`,
    unit,
    marks,
    log,
    series: lines,
  });
  return {
    title: 'Fan-out: growth with the number of connections',
    lines: [],
    verdicts: [],
    charts: [
      chart(
        'Server CPU seconds per million deliveries',
        's',
        'x',
        both((round) => 1e6 / perCpuSecond(round)),
      ),
      chart('Deliveries/s', '', 'x', both(perSecond)),
      chart('Latency from intake to socket', 'ms', 'both', [
        series(`${OURS} p50`, OURS, ({ latencies }) => latencies.p50, true),
        series(`${OURS} p99`, OURS, ({ latencies }) => latencies.p99),
        series(`${OURS} p99.9`, OURS, ({ latencies }) => latencies.p999, true),
        series(`${BARE} p99`, BARE, ({ latencies }) => latencies.p99),
      ]),
      chart('Server memory per connection', 'KB', 'both', both(perConnection)),
    ],
    notes: [
      'Every number of connections is offered a million deliveries/s in all, or 1,000 ticks/s to each reader where that is less. The figures are in the sections below.',
    ],
  };
}
