// A curve of `curves.ts`, and the process that measures most of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GrowthJob, GrowthResult } from '../contenders/growth-run.ts';
import type { Bench } from './scenario.ts';

/** A cost at each size, one value per round. */
export interface Cost {
  readonly name: string;
  readonly unit: string;
  /** Whether it may grow with the size. */
  readonly growth: 'linear' | 'flat';
  readonly values: GrowthResult;
}

export interface Curve {
  /** What there is more and more of, such as "instruments". */
  readonly what: string;
  readonly sizes: readonly number[];
  readonly costs: readonly Cost[];
  readonly notes: readonly string[];
}

const RUN = join(import.meta.dir, '../contenders/growth-run.ts');
const TIMEOUT_MS = 1_800_000;

export function growthRun({ children, cores }: Bench, job: GrowthJob): Promise<GrowthResult> {
  const file = join(job.folder, 'growth-job.json');
  writeFileSync(file, JSON.stringify(job));
  return children.job<GrowthResult>([...cores.server, process.execPath, RUN, file], TIMEOUT_MS);
}
