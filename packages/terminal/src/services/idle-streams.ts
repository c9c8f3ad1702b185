// Pauses the streams of a hidden tab, which nobody looks at. When the tab is visible again, they resume or report a gap.

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
  readonly #visibility: Visibility;
  readonly #later: Later;
  #held = false;
  #cancel: (() => void) | null = null;

  constructor(visibility: Visibility, signal: AbortSignal, wait: Later = later) {
    this.#visibility = visibility;
    this.#later = wait;
    visibility.addEventListener('visibilitychange', () => this.#update(), { signal });
    signal.addEventListener('abort', () => this.#cancel?.());
    this.#update();
  }

  /** `closed`: aborted when the stream is closed. */
  add(stream: HeldStream, closed: AbortSignal): void {
    if (closed.aborted) return;
    this.#streams.add(stream);
    closed.addEventListener('abort', () => this.#streams.delete(stream));
    if (this.#held) stream.pause();
  }

  #update(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#visibility.hidden) this.#cancel = this.#later(() => this.#hold(), HIDDEN_AFTER_MS);
    else if (this.#held) {
      this.#held = false;
      for (const stream of this.#streams) stream.resume();
    }
  }

  #hold(): void {
    this.#held = true;
    for (const stream of this.#streams) stream.pause();
  }
}
