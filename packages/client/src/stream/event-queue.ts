// Queue of events between a stream and a loop that reads them one at a time. It has no limit: its owner checks
// `size` and either pauses the stream or calls `keepLatest`.
import type { Gap } from './gap.ts';
import type { StateDetail, StreamState } from './reconnecting-socket.ts';

/** A message of the stream. */
export interface StreamMessageEvent<M> {
  /** Always `message`; tells the events of a stream apart. */
  readonly type: 'message';
  /** The message. */
  readonly message: M;
}

/** A change of the stream's state. */
export interface StateEvent extends StateDetail {
  /** Always `state`; tells the events of a stream apart. */
  readonly type: 'state';
  /** The new state. */
  readonly state: StreamState;
}

/** Anything that happens on a stream; `type` tells the variants apart. */
export type StreamEvent<M> = StreamMessageEvent<M> | Gap | StateEvent;

/** Read events are removed in blocks of this size, because removing them one at a time copies the queue each time. */
const TRIM_AFTER = 1_024;

export class EventQueue<M extends object> {
  #events: StreamEvent<M>[] = [];
  /** Index of the next event to read. */
  #next = 0;
  #wake: (() => void) | null = null;

  get size(): number {
    return this.#events.length - this.#next;
  }

  push(event: StreamEvent<M>): void {
    this.#events.push(event);
    this.wake();
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  take(): StreamEvent<M> | undefined {
    const event = this.#events[this.#next];
    if (event === undefined) return undefined;
    this.#next++;
    if (this.#next === this.#events.length || this.#next > TRIM_AFTER) {
      this.#events = this.#events.slice(this.#next);
      this.#next = 0;
    }
    return event;
  }

  /** Resolves at the next `push` or `wake`. */
  pushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Keeps the newest message of each symbol and the newest state, after one gap that covers everything removed. */
  keepLatest(): void {
    const newest = new Map<unknown, StreamEvent<M>>();
    const gaps: Gap[] = [];
    const removed: M[] = [];
    for (const event of this.#events.slice(this.#next)) {
      if (event.type === 'gap') {
        gaps.push(event);
        continue;
      }
      const key = event.type === 'message' ? symbolOf(event.message) : event.type;
      const previous = newest.get(key);
      if (previous?.type === 'message') removed.push(previous.message);
      // Deleted first, so that the map keeps the order of arrival.
      newest.delete(key);
      newest.set(key, event);
    }
    this.#next = 0;
    const kept = [...newest.values()];
    this.#events = removed.length + gaps.length > 0 ? [combinedGap(gaps, removed), ...kept] : kept;
  }
}

const symbolOf = (message: object): string => String((message as { symbol?: string }).symbol);

function combinedGap(gaps: readonly Gap[], removed: readonly object[]): Gap {
  const lowest = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length > 0 ? known.reduce((one, other) => Math.min(one, other)) : null;
  };
  return {
    type: 'gap',
    reason: 'behind',
    symbols: [...new Set([...gaps.flatMap(({ symbols }) => symbols), ...removed.map(symbolOf)])],
    // Messages carry numbers only if the caller asked for them, and then the messages around the gap show them.
    fromSeq: null,
    toSeq: null,
    dropped: gaps.reduce((sum, { dropped }) => sum + (dropped ?? 0), removed.length),
    since: lowest(gaps.map(({ since }) => since)),
    fill: gaps.find(({ fill }) => fill !== null)?.fill ?? null,
  };
}
