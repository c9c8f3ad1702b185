// The interface of a scenario, and the context it runs in.
import type { QuietWait } from '../measure/quiet-wait.ts';
import type { Peers } from '../peers.ts';
import type { Children } from '../processes/children.ts';
import type { Cores } from '../processes/cores.ts';
import type { BenchProgress } from '../progress.ts';
import type { ReportSection } from '../results.ts';

export interface Bench {
  readonly quick: boolean;
  /** Implies `quick`. */
  readonly shortest: boolean;
  /** Also the sizes of curves that take long. */
  readonly full: boolean;
  readonly rounds: number;
  /** Number of readers; `null` if it is not given. */
  readonly connections: number | null;
  readonly cores: Cores;
  readonly children: Children;
  readonly progress: BenchProgress;
  readonly quiet: QuietWait;
  readonly peers: () => Promise<Peers>;
  /** Creates an empty folder that is deleted when the run ends. */
  readonly folder: () => string;
}

export interface Scenario {
  /** Number of progress steps it takes. */
  readonly steps: (bench: Bench) => number;
  readonly run: (bench: Bench) => Promise<ReportSection[]>;
}

export const OURS = 'Tickwire';
export const BARE = 'bare Bun.serve';
export const LIMIT = 'C limit';

/** The sizes of a curve that this run measures. */
export const curveSizes = (
  { quick, shortest }: Bench,
  sizes: readonly number[],
  quickSizes: readonly number[],
): readonly number[] => (shortest ? quickSizes.slice(0, 2) : quick ? quickSizes : sizes);
