// What `npm start` takes while nobody uses it: resident memory and CPU time, from its first start to two minutes later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds, residentBytes } from '../measure/process-usage.ts';
import { SAME_PRICES } from '../processes/tickwire.ts';
import type { TargetCheck } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { type Bench, OURS, type Scenario } from './scenario.ts';

const LAUNCHER = join(import.meta.dir, '../../packages/server/bin/tickwire.mjs');
/** An idle Node: the least that a launcher takes. */
const BARE_NODE = "import 'node:child_process'; console.log('http://127.0.0.1:1'); setInterval(() => {}, 1e9);";
const MINUTE_MS = 60_000;
const SHORTEST_MS = 1_000;

interface Resting {
  readonly serviceMb: number;
  readonly launcherMb: number;
  readonly firstMinute: number;
  readonly percent: number;
}

export const resting: Scenario = {
  steps: ({ rounds }) => rounds,
  async run(bench) {
    const node = Bun.which('node');
    if (node === null) throw new Error('there is no node on the PATH');
    const results: Resting[] = [];
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress.show(`npm start at rest: round ${round} of ${bench.rounds}`);
      await bench.quiet.wait();
      results.push(await measure(bench, node));
      bench.progress.advance();
    }
    const valuesOf = (name: keyof Resting): number[] => results.map((result) => result[name]);
    const check = (what: string, unit: string, name: keyof Resting, bar: TargetCheck['bar']): TargetCheck => ({
      what: `npm start: ${what}`,
      unit,
      values: valuesOf(name),
      bar,
      unjudged: bench.shortest ? 'the bar is for a minute' : null,
    });
    const checks = [
      check('resident memory after a minute', 'MB', 'serviceMb', TARGETS.restMemory),
      check('launcher, above a bare Node', 'MB', 'launcherMb', TARGETS.restLauncher),
      check('CPU time until a minute after the start', 's', 'firstMinute', TARGETS.firstMinute),
      check('processor in the minute after that', '% of a core', 'percent', TARGETS.restProcessor),
    ];
    const figures = checks.map(({ what, unit, values }) => ({ name: what.replace('npm start: ', ''), unit, values }));
    return [
      {
        title: 'npm start at rest: an empty folder, simulated markets and news, no client',
        lines: [{ contender: OURS, missing: null, figures }],
        verdicts: checks,
        notes: [
          'Started by the launcher on all cores. A minute counts from the moment at which the service prints its address. Resident memory as /proc has it, without forcing a collection of garbage; about 45 MB of it are pages of the binary of Bun, which all processes share.',
        ],
      },
    ];
  },
};

async function measure({ children, folder, shortest }: Bench, node: string): Promise<Resting> {
  const bare = await children.server([node, '--input-type=module', '-e', BARE_NODE]);
  const flags = ['--data', folder(), '--port', '0', '--metrics-port', 'off', '--log', 'warn'];
  const launcher = await children.server([node, LAUNCHER, 'serve', ...flags], SAME_PRICES);
  const service = Number(readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').split(' ')[0]);
  const minute = shortest ? SHORTEST_MS : MINUTE_MS;
  await Bun.sleep(minute);
  const serviceMb = residentBytes(service) / 1e6;
  const launcherMb = (residentBytes(launcher.pid) - residentBytes(bare.pid)) / 1e6;
  const firstMinute = cpuSeconds(service) + cpuSeconds(launcher.pid);
  await Bun.sleep(minute);
  const percent = (100 * (cpuSeconds(service) + cpuSeconds(launcher.pid) - firstMinute)) / (minute / 1_000);
  await Promise.all([launcher.stop(), bare.stop()]);
  return { serviceMb, launcherMb, firstMinute, percent };
}
