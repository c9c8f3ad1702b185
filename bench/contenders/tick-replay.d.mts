export interface ReplayedTick {
  readonly symbol: string;
  readonly body: string;
}
export interface TickReplay {
  readonly epoch: string;
  /** A reader has subscribed or disconnected. */
  join(): void;
  leave(): void;
  start(publish: (tick: ReplayedTick, seq: number, prev: number) => void): void;
}
export interface TickReplayOptions {
  readonly ticksFile: string;
  readonly stampFile: string;
  readonly readers: number;
  readonly leaveOutMs: number;
}
export function startReplay(options: TickReplayOptions): TickReplay;
