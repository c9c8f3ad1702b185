// What a log of many signals costs: a start up to the first ranking of publishers, a ranking after that, and `tickwire verify`.
import { cpuSeconds } from '../measure/process-usage.ts';
import { MAIN, makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import { type Curve, growthRun } from './growth-curve.ts';
import { type Bench, curveSizes } from './scenario.ts';

const MAX_REPORT = 2_000;
const SIZES = [1_000, 10_000, 100_000];
const FULL_SIZES = [...SIZES, 1_000_000];
const QUICK_SIZES = [200, 1_000, 5_000];
/** Those by figures, which need every publisher. */
const RANKINGS = ['win_rate', 'profit_factor', 'total_r', 'average_r'].flatMap((sort) =>
  ['', '&period=90', '&period=365'].map((period) => `?sort=${sort}${period}`),
);

interface Costs {
  readonly start: Record<number, number[]>;
  readonly ranking: Record<number, number[]>;
  readonly verify: Record<number, number[]>;
}

export async function signalCurve(bench: Bench): Promise<Curve> {
  const { quick, full, rounds, progress, folder: newFolder } = bench;
  const sizes = curveSizes(bench, full ? FULL_SIZES : SIZES, QUICK_SIZES);
  const costs: Costs = { start: {}, ranking: {}, verify: {} };
  for (const size of sizes) {
    const folder = newFolder();
    progress.show(`curves: writing ${size.toLocaleString('en')} signals`);
    await growthRun(bench, { what: 'log', folder, sizes: [size], rounds: 0, count: 0 });
    const [key] = (await makeKeys(folder, 1)) as [string];
    for (const list of Object.values(costs)) list[size] = [];
    for (let round = 1; round <= rounds; round++) {
      progress.show(`curves: ${size.toLocaleString('en')} signals, round ${round} of ${rounds}`);
      await bench.quiet.wait();
      const { start, ranking } = await startAndRank(bench, folder, key);
      costs.start[size]!.push(start);
      costs.ranking[size]!.push(ranking);
      costs.verify[size]!.push(await verify(bench, folder));
    }
  }
  return {
    what: 'signals',
    sizes,
    costs: [
      { name: 'CPU time to the first ranking', unit: 's', growth: 'linear', values: costs.start },
      { name: 'a further ranking', unit: 'ms', growth: 'linear', values: costs.ranking },
      { name: 'CPU time of tickwire verify', unit: 's', growth: 'linear', values: costs.verify },
    ],
    notes: [
      'Signals of 100 publishers in the log, of which 100 are active. CPU time is that of all threads from the start of the process.',
      full || quick ? '' : 'With --full up to a million signals.',
    ].filter((note) => note !== ''),
  };
}

async function startAndRank(
  { children, cores }: Bench,
  folder: string,
  key: string,
): Promise<{ readonly start: number; readonly ranking: number }> {
  const env = { ...NO_NEWS, TICKWIRE_FEEDS: 'push' };
  const { port, pid, stop } = await startTickwire(children, cores.server, { folder, env });
  const rank = async (query: string): Promise<void> => {
    const url = `http://127.0.0.1:${port}/api/publishers${query}`;
    const response = await fetch(url, { headers: { 'X-API-Key': key } });
    const text = await response.text();
    if (!response.ok) throw new Error(`the ranking${query}: ${text}`);
  };
  await rank('');
  const start = cpuSeconds(pid);
  const startedAt = performance.now();
  for (const query of RANKINGS) await rank(query);
  const ranking = (performance.now() - startedAt) / RANKINGS.length;
  await stop();
  return { start, ranking };
}

/** CPU seconds of the command, all threads. */
async function verify({ cores }: Bench, folder: string): Promise<number> {
  const env = { PATH: process.env.PATH ?? '', TICKWIRE_DATA: folder, TICKWIRE_FEEDS: 'push' };
  const command = [...cores.server, process.execPath, MAIN, 'verify'];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', env });
  const report = await new Response(child.stdout).text();
  const status = await child.exited;
  // The ticks between the decisions are not there, so it cannot be 0.
  if (!/evidence +([\d,]+) of \1 closings recomputed/.test(report))
    throw new Error(`tickwire verify ended with ${status}: ${report.slice(0, MAX_REPORT)}`);
  return Number(child.resourceUsage()!.cpuTime.total) / 1e6;
}
