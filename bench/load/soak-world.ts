// What the readers of a soak share: where they connect to, what is counted of all of them, and chance.
import type { Poller } from './poller.ts';
import type { SymbolIndex } from './symbol-index.ts';

export interface SoakCounts {
  deliveries: number;
  connects: number;
  resumed: number;
  stalls: number;
  /** Messages without continuity fields or with a symbol nobody knows. */
  unreadable: number;
  /** Readers that always read and were told they are slow. */
  steadySlowed: number;
  /** By kind. */
  readonly notices: Record<string, number>;
  /** Connections the server ended, by who read how and by close code. */
  readonly cuts: Record<string, number>;
}

export interface SoakWorld {
  readonly port: number;
  readonly key: string;
  readonly poller: Poller;
  readonly symbols: SymbolIndex;
  readonly counts: SoakCounts;
  /** From 0 to 1. */
  readonly roll: () => number;
  /** How long a reader stalls, or goes without stalling, or stays before it goes. */
  readonly spellMs: () => number;
  /** How long one that is gone stays away. */
  readonly pauseMs: () => number;
}

export const noCounts = (): SoakCounts => ({
  deliveries: 0,
  connects: 0,
  resumed: 0,
  stalls: 0,
  unreadable: 0,
  steadySlowed: 0,
  notices: {},
  cuts: {},
});
