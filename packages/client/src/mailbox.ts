// Events that wait for a reader that takes them one by one. Never more than `capacity`: at that point it says so, and whoever
// fills it stops, or has it thinned out to the newest message of each symbol.
import type { Gap } from './gap.ts';
import type { StateDetail, StreamState } from './link.ts';

export interface MessageArrived<M> {
  readonly type: 'message';
  readonly message: M;
}
export interface StateEvent extends StateDetail {
  readonly type: 'state';
  readonly state: StreamState;
}
/** What happens on a stream, in order. */
export type StreamEvent<M> = MessageArrived<M> | Gap | StateEvent;

export class Mailbox<M extends object> {
  #waiting: StreamEvent<M>[] = [];
  /** Where the reader is; what lies before it is cut off from time to time, not one by one. */
  #at = 0;
  #wake: (() => void) | null = null;

  get size(): number {
    return this.#waiting.length - this.#at;
  }

  push(event: StreamEvent<M>): void {
    this.#waiting.push(event);
    this.wake();
  }

  take(): StreamEvent<M> | undefined {
    const event = this.#waiting[this.#at];
    if (event === undefined) return undefined;
    this.#at++;
    if (this.#at === this.#waiting.length || this.#at > 1_024) {
      this.#waiting = this.#waiting.slice(this.#at);
      this.#at = 0;
    }
    return event;
  }

  /** Resolves when there is something new, or `wake` is called. */
  stirred(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  /** Keeps the newest message of each symbol and the newest state, behind one gap that tells of all the rest. */
  thinOut(): void {
    const newest = new Map<unknown, StreamEvent<M>>();
    const gaps: Gap[] = [];
    const left: M[] = [];
    for (const event of this.#waiting.slice(this.#at)) {
      if (event.type === 'gap') {
        gaps.push(event);
        continue;
      }
      const key = event.type === 'message' ? symbolOf(event.message) : event.type;
      const before = newest.get(key);
      if (before?.type === 'message') left.push(before.message);
      // Again at the end, so that the kept are in the order they came.
      newest.delete(key);
      newest.set(key, event);
    }
    this.#at = 0;
    this.#waiting = left.length + gaps.length > 0 ? [gapOver(gaps, left), ...newest.values()] : [...newest.values()];
  }
}

const symbolOf = (message: object): string => String((message as { symbol?: string }).symbol);

function gapOver(gaps: readonly Gap[], left: readonly object[]): Gap {
  const lowest = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length > 0 ? known.reduce((one, other) => Math.min(one, other)) : null;
  };
  return {
    type: 'gap',
    reason: 'behind',
    symbols: [...new Set([...gaps.flatMap(({ symbols }) => symbols), ...left.map(symbolOf)])],
    // Numbers of messages are shown only to those who asked; who did has them in the messages around.
    fromSeq: null,
    toSeq: null,
    dropped: gaps.reduce((sum, { dropped }) => sum + (dropped ?? 0), left.length),
    since: lowest(gaps.map(({ since }) => since)),
    fill: gaps.find(({ fill }) => fill !== null)?.fill ?? null,
  };
}
