// A chart at which a replay starts.
export interface ReplayPlace {
  /** Aborted when the chart is closed. */
  readonly signal: AbortSignal;
  /** A short text over the lower edge of the chart; '' removes it. */
  note(text: string): void;
  /** The next press on the chart calls this with the start of the bar that is there, in epoch milliseconds. `null`: no longer. */
  pick(onBar: ((timeMs: number) => void) | null): void;
}
