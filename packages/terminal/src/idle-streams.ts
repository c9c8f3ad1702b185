// Streams of a tab that nobody looks at. A session has ten of them and a page up to five, so a tab that was left lets go of
// its own after a while, and goes on where it was when it is looked at again: a stream resumes, or tells of its gap.

/** A glance at another tab costs nothing. */
export const LEFT_AFTER_MS = 60_000;

export interface HeldStream {
  hold(): void;
  release(): void;
}

type Sight = EventTarget & { readonly hidden: boolean };
type Later = (run: () => void, ms: number) => () => void;

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export class IdleStreams {
  readonly #streams = new Set<HeldStream>();
  readonly #sight: Sight;
  readonly #later: Later;
  #held = false;
  #cancel: (() => void) | null = null;

  constructor(sight: Sight, signal: AbortSignal, wait: Later = later) {
    this.#sight = sight;
    this.#later = wait;
    sight.addEventListener('visibilitychange', () => this.#look(), { signal });
    signal.addEventListener('abort', () => this.#cancel?.());
    this.#look();
  }

  /** `gone`: aborted when the stream is closed. */
  add(stream: HeldStream, gone: AbortSignal): void {
    if (gone.aborted) return;
    this.#streams.add(stream);
    gone.addEventListener('abort', () => this.#streams.delete(stream));
    if (this.#held) stream.hold();
  }

  #look(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#sight.hidden) this.#cancel = this.#later(() => this.#hold(), LEFT_AFTER_MS);
    else if (this.#held) {
      this.#held = false;
      for (const stream of this.#streams) stream.release();
    }
  }

  #hold(): void {
    this.#held = true;
    for (const stream of this.#streams) stream.hold();
  }
}
