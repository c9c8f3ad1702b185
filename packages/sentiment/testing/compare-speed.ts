// Compares the time per headline with that of an earlier model, in the same process and in turns:
//   npm run speed -w packages/sentiment [-- <commit>]
// The earlier model, with the code that ran it, is taken from the history of the repository; the default is headline-1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownHeadlines } from './headline-sets.ts';
import { model } from './model.ts';

/** The last commit with headline-1. */
const HEADLINE_1 = 'b79d523a^';
const ROUNDS = 5;
const WARM_UP = 300;

type Classify = typeof model.classify;

async function modelAt(commit: string, folder: string): Promise<{ version: string; classify: Classify }> {
  const root = resolve(import.meta.dir, '../../..');
  const archive = Bun.spawnSync(['git', 'archive', commit, 'packages/sentiment'], { cwd: root });
  if (!archive.success) throw new Error(`no model at ${commit}: ${archive.stderr.toString().trim()}`);
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: archive.stdout });
  if (!unpacked.success) throw new Error(unpacked.stderr.toString().trim());
  const { loadModel, modelFile } = await import(join(folder, 'packages/sentiment/src/index.ts'));
  return loadModel(new Uint8Array(await Bun.file(modelFile).arrayBuffer()));
}

/** Milliseconds of CPU time, because other programs may run at the same time. */
function timeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]!;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

const folder = mkdtempSync(join(tmpdir(), 'tickwire-speed-'));
try {
  const before = await modelAt(process.argv[2] ?? HEADLINE_1, folder);
  const texts = ['development', 'blind'].flatMap(ownHeadlines);
  for (const { text, category } of texts.slice(0, WARM_UP))
    for (const each of [before, model]) each.classify(text, undefined, category);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const times = { before: [] as number[], now: [] as number[] };
    for (const [index, { text, category }] of texts.entries()) {
      const runs = [
        () => times.before.push(timeOf(() => before.classify(text, undefined, category))),
        () => times.now.push(timeOf(() => model.classify(text, undefined, category))),
      ];
      // Each model is the first for every second headline.
      for (const run of index % 2 ? runs.toReversed() : runs) run();
    }
    const [p95Before, p95Now] = [quantile(times.before, 0.95), quantile(times.now, 0.95)];
    ratios.push(p95Now / p95Before);
    console.log(
      `round ${round}: ${before.version} p50 ${ms(quantile(times.before, 0.5))}, p95 ${ms(p95Before)}; ` +
        `${model.version} p50 ${ms(quantile(times.now, 0.5))}, p95 ${ms(p95Now)}; p95 ratio ${ratios.at(-1)!.toFixed(3)}`,
    );
  }
  const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
  console.log(`${texts.length} headlines, ${ROUNDS} rounds: p95 ratio ${quantile(ratios, 0.5).toFixed(3)} (${range})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
