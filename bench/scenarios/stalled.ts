// One reader among a thousand stops reading: the effect on the others, and its cost in memory.
import { join } from 'node:path';
import { joinLatencies } from '../measure/latencies.ts';
import { type Contender, interleave, type Rounds } from '../measure/rounds.ts';
import { median, ratios } from '../measure/statistics.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import type { Figure, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { FanoutRound } from './fanout-section.ts';
import { simRateFor } from './fanout-ticks.ts';
import { arrivalFileIn, runReaders } from './run-readers.ts';
import type { Scenario } from './scenario.ts';
import { disturbance, usageFigures, usageNotes } from './usage-notes.ts';

const CONNECTIONS = 1_000;
const QUICK_CONNECTIONS = 100;
const PER_READER = 1_000;
const MEASURE_MS = 6_000;
const QUICK_MS = 4_000;
const WARM_UP_MS = 1_500;
const WITHOUT = 'all of them read';
const WITH = 'and one that does not';

export const stalled: Scenario = {
  steps: ({ rounds }) => 2 * (rounds + 1),
  async run(bench) {
    const { children, cores, quick } = bench;
    const connections = quick ? QUICK_CONNECTIONS : CONNECTIONS;
    const folder = bench.folder();
    const [key] = await makeKeys(folder, 1);
    const stamps = join(folder, 'stamps');
    const server = await startTickwire(children, cores.server, {
      folder,
      simRate: simRateFor(PER_READER),
      bunFlags: ['--preload', join(import.meta.dir, '../contenders/intake-timestamps.ts')],
      env: { BENCH_STAMPS: stamps },
    });
    const contender = (name: string, isStalled: boolean): Contender<FanoutRound> => ({
      name,
      missing: null,
      async measure(warming) {
        // Longer than it takes until a stalled reader counts as slow.
        const times = { warmMs: 500, measureMs: warming ? WARM_UP_MS : quick ? QUICK_MS : MEASURE_MS };
        const given = { connections, key: key!, stalled: isStalled, ...times };
        const result = await server.turn(() => runReaders(bench, server, folder, given));
        return { ...result, latencies: joinLatencies(stamps, arrivalFileIn(folder)) };
      },
    });
    const rounds = await interleave([contender(WITHOUT, false), contender(WITH, true)], 'stalled reader', bench);
    await server.stop();
    return [sectionOf(rounds, connections)];
  },
};

const growthMb = ({ serverBytes, serverBytesBefore }: FanoutRound): number => (serverBytes - serverBytesBefore) / 1e6;

function sectionOf(rounds: Rounds<FanoutRound>, connections: number): ReportSection {
  const [without, beside] = [rounds.get(WITHOUT)!, rounds.get(WITH)!];
  const all = [...without, ...beside];
  const p99 = (list: readonly FanoutRound[]): number[] => list.map(({ latencies }) => latencies.p99);
  return {
    title: `One stalled reader among ${connections.toLocaleString('en')}`,
    lines: [...rounds].map(([name, list]) => ({ contender: name, missing: null, figures: figuresOf(list) })),
    verdicts: [
      {
        what: "stalled reader: the others' p99, with it in those without",
        unit: '×',
        values: ratios(p99(beside), p99(without)),
        bar: TARGETS.stalledLatency,
        unjudged: disturbance(all) ?? (connections < CONNECTIONS ? 'the bar is for 1,000' : null),
      },
      {
        what: 'stalled reader: memory the server took during the run',
        unit: 'MB',
        values: beside.map(growthMb),
        bar: TARGETS.stalledMemory,
        unjudged: null,
        caveat: `without it ${median(without.map(growthMb)).toFixed(1)} MB`,
      },
    ],
    notes: [
      `${PER_READER.toLocaleString('en')} ticks/s to every reader. The stalled one subscribes to the same, reads the response and then nothing, with a receive buffer of 8 KB; it is not among those whose latency is noted.`,
      `When it read again at the end, the stalled reader found: ${[...new Set(beside.map(({ stalledReceived }) => stalledReceived))].join(', ')} (a notice, or the close code it was cut with).`,
      ...usageNotes(all, 'readers’ process', ''),
    ],
  };
}

function figuresOf(rounds: readonly FanoutRound[]): Figure[] {
  const figure = (name: string, unit: string, plotted: boolean, value: (round: FanoutRound) => number): Figure => ({
    name,
    unit,
    plotted,
    values: rounds.map(value),
  });
  return [
    figure('p50', 'ms', false, ({ latencies }) => latencies.p50),
    figure('p99', 'ms', true, ({ latencies }) => latencies.p99),
    figure('p99.9', 'ms', false, ({ latencies }) => latencies.p999),
    figure('deliveries/s', '', false, ({ deliveries, seconds }) => deliveries / seconds),
    figure('slow and gap notices to the others', '', false, ({ notices }) => notices),
    figure('memory taken during the run', 'MB', false, growthMb),
    ...usageFigures(rounds),
  ];
}
