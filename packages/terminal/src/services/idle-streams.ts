// Pauses the streams of a hidden tab, which nobody looks at. When the tab is visible again, they resume or report a gap. If another
// tab lacks a stream, a hidden one pauses all of its own at once.

/** A short look at another tab changes nothing. */
export const HIDDEN_AFTER_MS = 60_000;

export interface HeldStream {
  pause(): void;
  resume(): void;
}

type Visibility = EventTarget & { readonly hidden: boolean };
type Later = (run: () => void, ms: number) => () => void;

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export class IdleStreams {
  readonly #streams = new Set<HeldStream>();
  /** Those that pause only if another tab lacks one. */
  readonly #kept = new Set<HeldStream>();
  readonly #visibility: Visibility;
  readonly #later: Later;
  #held = false;
  /** The streams that go on in a hidden tab are paused, too. */
  #heldAll = false;
  #cancel: (() => void) | null = null;

  constructor(visibility: Visibility, signal: AbortSignal, wait: Later = later) {
    this.#visibility = visibility;
    this.#later = wait;
    visibility.addEventListener('visibilitychange', () => this.#update(), { signal });
    signal.addEventListener('abort', () => this.#cancel?.());
    this.#update();
  }

  /** `closed`: aborted when the stream is closed. `isKept`: it goes on in a hidden tab, unless another tab lacks a stream. */
  add(stream: HeldStream, closed: AbortSignal, isKept = false): void {
    if (closed.aborted) return;
    const streams = isKept ? this.#kept : this.#streams;
    streams.add(stream);
    closed.addEventListener('abort', () => streams.delete(stream));
    if (isKept ? this.#heldAll : this.#held) stream.pause();
  }

  /** Another tab has reached the limit of streams. */
  give(): void {
    if (!this.#visibility.hidden || this.#heldAll) return;
    this.#heldAll = true;
    if (!this.#held) this.#hold();
    for (const stream of this.#kept) stream.pause();
    // The other tab may be closed by then; otherwise it asks again.
    this.#cancel?.();
    this.#cancel = this.#later(() => this.#resumeKept(), HIDDEN_AFTER_MS);
  }

  #resumeKept(): void {
    this.#heldAll = false;
    for (const stream of this.#kept) stream.resume();
  }

  #update(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#visibility.hidden) this.#cancel = this.#later(() => this.#hold(), HIDDEN_AFTER_MS);
    else if (this.#held) {
      const held = this.#heldAll ? [...this.#kept, ...this.#streams] : this.#streams;
      this.#held = this.#heldAll = false;
      for (const stream of held) stream.resume();
    }
  }

  #hold(): void {
    this.#held = true;
    for (const stream of this.#streams) stream.pause();
  }
}
