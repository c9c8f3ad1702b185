export interface ReplayedTick {
  readonly symbol: string;
  readonly body: string;
}
export interface Replay {
  readonly epoch: string;
  /** A reader has subscribed, or gone. */
  join(): void;
  leave(): void;
  start(publish: (tick: ReplayedTick, seq: number, prev: number) => void): void;
}
export interface ReplayOptions {
  readonly ticksFile: string;
  readonly stampFile: string;
  readonly readers: number;
  readonly leaveOutMs: number;
}
export function openReplay(options: ReplayOptions): Replay;
