// Replays a recording as a feed: at its original speed times a factor, or as fast as the store can write.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import type { Feed, FeedStatus } from '../../market/feeds/feed.ts';
import type { Intake } from '../../market/intake.ts';
import type { ImportRun } from '../read-files.ts';
import type { ImportRow } from '../rows/import-row.ts';
import { ReplayPlayer, type ReplaySink } from './replay-player.ts';

/** Interval of wall time between two steps. */
const STEP_MS = 20;
/** Rows played in one step: other work runs in between. */
const MAX_ROWS_PER_STEP = 5_000;

export interface ReplayOptions {
  readonly run: ImportRun;
  readonly symbol: MarketSymbol;
  /** Seconds of the recording per second of wall time; Infinity: as fast as possible. */
  readonly speed: number;
  readonly sink: ReplaySink;
  /** Settles when everything played so far is stored. The replay waits for it at full speed. */
  readonly written: () => Promise<void>;
  /** Approximate bytes of the files, and rows, played so far. */
  readonly onProgress?: (bytes: number, played: number) => void;
  readonly now?: () => number;
}

const NO_INCIDENTS = { connects: 1, disconnects: 0, duplicates: 0, backfilled: 0, gaps: 0, invalidMessages: 0 };

/** The intake as the sink of a replay. */
export const createReplaySink = (intake: Intake): ReplaySink => ({
  ...intake.sinkFor('replay'),
  clock: (time) => intake.clock(time),
});

export class ReplayFeed implements Feed {
  /** Settles when the recording has ended or was stopped; rejects if it cannot be read. */
  readonly finished: Promise<void>;
  readonly player: ReplayPlayer;
  readonly #options: ReplayOptions;
  readonly #now: () => number;
  #state: FeedStatus['state'] = 'starting';
  #error: string | null = null;
  #begin = (): void => {};
  /** The recording's time and the wall clock at the start. */
  #origin: { readonly time: EpochMs; readonly wall: number } | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#now = options.now ?? performance.now.bind(performance);
    this.player = new ReplayPlayer(options.symbol, options.sink);
    this.finished = new Promise<void>((resolve) => {
      this.#begin = resolve;
    }).then(() => this.#playAll());
    // Not an unhandled rejection if nobody awaits it.
    this.finished.catch((error: Error) => {
      this.#error = error.message;
    });
  }

  start(): void {
    this.#state = 'live';
    this.#begin();
  }

  stop(): void {
    this.#state = 'stopped';
    this.#begin();
  }

  status(): FeedStatus {
    return {
      name: 'replay',
      state: this.#state,
      lastEventAt: this.player.reached,
      symbols: [this.#options.symbol],
      lastError: this.#error,
      ...NO_INCIDENTS,
    };
  }

  async #playAll(): Promise<void> {
    let entry = '';
    let path = '';
    /** Bytes of the previous files, bytes read of this file, and its size. */
    let before = 0;
    let read = 0;
    let size = 0;
    for await (const { file, rows, bytesRead, bytesTotal } of this.#options.run.batches) {
      if (this.#state === 'stopped') return;
      if (file !== entry) this.player.newFile();
      entry = file;
      if (file.split('!')[0] !== path) {
        path = file.split('!')[0]!;
        before += size;
        read = 0;
        size = bytesTotal;
      }
      await this.#playLoaded(rows, before + read, bytesRead - read);
      read = bytesRead;
    }
  }

  async #playLoaded(rows: readonly ImportRow[], bytes: number, more: number): Promise<void> {
    const { player } = this;
    const { onProgress, written } = this.#options;
    const first = player.played;
    player.load(rows);
    for (let due = player.due; due !== null && this.#state === 'live'; due = player.due) {
      const until = this.#until(due);
      player.play(until, MAX_ROWS_PER_STEP);
      onProgress?.(bytes + (more * (player.played - first)) / rows.length, player.played);
      if (until === Number.POSITIVE_INFINITY) await written();
      await Bun.sleep(player.due !== null && player.due > until ? STEP_MS : 0);
    }
  }

  /** The time that the recording should have reached by now. */
  #until(due: EpochMs): number {
    const { speed } = this.#options;
    if (speed === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#origin ??= { time: due, wall: this.#now() };
    return this.#origin.time + (this.#now() - this.#origin.wall) * speed;
  }
}
