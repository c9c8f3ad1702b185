// State shared by the readers of a soak: where they connect, their counts, and random numbers.
import type { SocketPoller } from './socket-poller.ts';
import type { SymbolIndex } from './symbol-index.ts';

export interface SoakCounts {
  deliveries: number;
  connects: number;
  resumed: number;
  stalls: number;
  /** Messages without continuity fields or with an unknown symbol. */
  unreadable: number;
  /** `slow` notices to readers that always read. */
  steadySlowed: number;
  /** By kind of notice. */
  readonly notices: Record<string, number>;
  /** Connections closed by the server, by reader behaviour and close code. */
  readonly cuts: Record<string, number>;
}

export interface SoakContext {
  readonly port: number;
  readonly key: string;
  readonly poller: SocketPoller;
  readonly symbols: SymbolIndex;
  readonly counts: SoakCounts;
  /** A random number from 0 to 1. */
  readonly roll: () => number;
  /** Durations of stalls, of the time between stalls, and of connections. */
  readonly spellMs: () => number;
  /** Duration of a disconnection. */
  readonly pauseMs: () => number;
}

export const emptyCounts = (): SoakCounts => ({
  deliveries: 0,
  connects: 0,
  resumed: 0,
  stalls: 0,
  unreadable: 0,
  steadySlowed: 0,
  notices: {},
  cuts: {},
});
