// The state of a replay session, as it is kept, and its clock: a function of the state and the time, so that every gateway of a
// cluster has the same one.
import { createHash } from 'node:crypto';
import { iso, type ReplaySession, type ReplaySource } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';

/** Times in epoch milliseconds. */
export interface ReplayState {
  readonly id: string;
  readonly symbols: readonly MarketSymbol[];
  readonly from: number;
  readonly to: number;
  /** Where the numbers of messages start: the start of the range, or the last seek. */
  readonly base: number;
  /** Rises with each seek, which starts over even if it is to the same time. */
  readonly seeks: number;
  readonly playing: boolean;
  /** `max`: the clock moves with what streams read. */
  readonly speed: number | 'max';
  /** The clock was `at` when the time was `since`. */
  readonly at: number;
  readonly since: number;
  readonly sources: readonly ReplaySource[];
  readonly createdAt: number;
}

/** The time of the clock in whole milliseconds. */
export function clockOf({ playing, at, since, speed, to }: ReplayState, now: number): number {
  const passed = playing && speed !== 'max' ? Math.max(0, now - since) * speed : 0;
  return Math.min(to, Math.floor(at + passed));
}

/** The same session with its clock set. */
export const clockSet = (state: ReplayState, at: number, now: number): ReplayState => ({ ...state, at, since: now });

/** 12 hexadecimal digits, the same for each session with the same symbols and range after the same seek. */
export function epochOf({ symbols, from, to, base }: ReplayState): string {
  return createHash('sha256')
    .update(JSON.stringify([symbols, from, to, base]))
    .digest('hex')
    .slice(0, 12);
}

/** `clock`: how far the session is, which is behind its clock if it cannot keep up. */
export function sessionOf(state: ReplayState, clock: number, keptMs: number): ReplaySession {
  return {
    id: state.id,
    state: clock >= state.to ? 'ended' : state.playing ? 'playing' : 'paused',
    symbols: [...state.symbols],
    from: iso(state.from),
    to: iso(state.to),
    clock: iso(clock),
    speed: state.speed,
    epoch: epochOf(state),
    sources: [...state.sources],
    created_at: iso(state.createdAt),
    idle_seconds: keptMs / 1000,
  };
}
