// The event that is being judged, and the firings it has caused so far.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { Bar } from '../market/events.ts';
import { asEpochMs, type EpochMs } from '../market/time.ts';
import type { Firing } from './alert.ts';

interface PendingFiring {
  readonly ordinal: number;
  readonly firing: Firing;
}

export class JudgingContext {
  /** Number of the event. One event may have several moments, such as the prices of a minute. */
  event = 0;
  seq: number | null = null;
  time: EpochMs = asEpochMs(0);
  /** A closed bar is judged; `time` is its end. */
  isBar = false;
  /** The time is that of a source, not of the market: only `seq` decides whether an alert was set before the event. */
  ignoresTime = false;
  /** When such an event became known, for one without `seq`. */
  knownAt: EpochMs = asEpochMs(0);
  #cause: string | null = null;
  #pending: PendingFiring[] = [];

  /** `cause` of `null`: the event itself, by its `seq`. */
  begin(seq: number | null, time: EpochMs, cause: string | null = null): void {
    this.seq = seq;
    this.time = time;
    this.isBar = false;
    this.ignoresTime = false;
    this.knownAt = time;
    this.#cause = cause;
  }

  beginBar(seq: number | null, interval: Timeframe, { time }: Bar): void {
    this.begin(seq, asEpochMs(time + TIMEFRAME_MS[interval]), `bar:${interval}:${time}`);
    this.isBar = true;
  }

  get cause(): string {
    return this.#cause ?? `seq:${this.seq}`;
  }

  add(ordinal: number, firing: Firing): void {
    this.#pending.push({ ordinal, firing });
  }

  /** Hands over the firings of an event, in the order in which their alerts were added. */
  flush(onFire: (firing: Firing) => void): void {
    this.event++;
    if (this.#pending.length === 0) return;
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length > 1) pending.sort((a, b) => a.ordinal - b.ordinal);
    for (const { firing } of pending) onFire(firing);
  }
}
