// What every scenario is given.
import type { Quiet } from '../measure/quiet.ts';
import type { Peers } from '../peers.ts';
import type { Children } from '../processes/children.ts';
import type { Cores } from '../processes/cores.ts';
import type { Progress } from '../progress.ts';
import type { Section } from '../results.ts';

export interface Bench {
  readonly quick: boolean;
  /** Then `quick` is true as well. */
  readonly shortest: boolean;
  readonly rounds: number;
  readonly connections: readonly number[];
  /** Of the soak. */
  readonly minutes: number;
  readonly readers: number;
  readonly cores: Cores;
  readonly children: Children;
  readonly progress: Progress;
  readonly quiet: Quiet;
  readonly peers: () => Promise<Peers>;
  /** A new empty folder that goes when the run ends. */
  readonly folder: () => string;
}

export interface Scenario {
  /** Steps of progress it will take. */
  readonly steps: (bench: Bench) => number;
  readonly run: (bench: Bench) => Promise<Section[]>;
}

export const OURS = 'Tickwire';
export const BARE = 'bare Bun.serve';
export const SEND = 'plain send()';
export const WS = 'ws on Node';
