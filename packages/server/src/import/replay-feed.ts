// A recording as a feed: read as it is needed, played at its own pace times a factor, or as fast as the store can write.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import type { Feed, FeedStatus } from '../feeds/feed.ts';
import type { Intake } from '../journal/intake.ts';
import { Player, type PlayerSink } from './player.ts';
import type { ImportRun } from './read.ts';
import type { Row } from './row.ts';

/** Steps of wall time. */
const STEP_MS = 20;
/** Rows played in one go: requests are answered in between. */
const MOST_ROWS = 5_000;

export interface ReplayOptions {
  readonly run: ImportRun;
  readonly symbol: MarketSymbol;
  /** Seconds of the recording to a second; Infinity for as fast as it goes. */
  readonly speed: number;
  readonly sink: PlayerSink;
  /** Settles when what was played is written: the replay waits for it, so that nothing piles up. */
  readonly written: () => Promise<void>;
  /** Bytes of the files that are played so far, about, and rows. */
  readonly onProgress?: (bytes: number, played: number) => void;
  readonly now?: () => number;
}

const UNEVENTFUL = { connects: 1, disconnects: 0, duplicates: 0, backfilled: 0, gaps: 0, complaints: 0 };

/** The intake as a recording sees it. */
export const replaySink = (intake: Intake): PlayerSink => ({
  ...intake.from('replay'),
  clock: (time) => intake.clock(time),
});

export class ReplayFeed implements Feed {
  /** Settles when the recording is through, or was stopped; rejects where it could not be read. */
  readonly finished: Promise<void>;
  readonly player: Player;
  readonly #options: ReplayOptions;
  readonly #now: () => number;
  #state: FeedStatus['state'] = 'starting';
  #error: string | null = null;
  #begin = (): void => {};
  /** Where the recording's time and the wall clock were laid upon each other. */
  #origin: { readonly time: EpochMs; readonly wall: number } | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#now = options.now ?? performance.now.bind(performance);
    this.player = new Player(options.symbol, options.sink);
    this.finished = new Promise<void>((resolve) => {
      this.#begin = resolve;
    }).then(() => this.#playAll());
    // Whoever waits for it hears of it; nobody has to.
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
      ...UNEVENTFUL,
    };
  }

  async #playAll(): Promise<void> {
    let entry = '';
    let path = '';
    /** Bytes of the files before, of this one's batches before, and of this one. */
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

  async #playLoaded(rows: readonly Row[], bytes: number, more: number): Promise<void> {
    const { player } = this;
    const { onProgress, written } = this.#options;
    const first = player.played;
    player.load(rows);
    for (let due = player.due; due !== null && this.#state === 'live'; due = player.due) {
      const until = this.#until(due);
      player.play(until, MOST_ROWS);
      onProgress?.(bytes + (more * (player.played - first)) / rows.length, player.played);
      if (until === Number.POSITIVE_INFINITY) await written();
      await Bun.sleep(player.due !== null && player.due > until ? STEP_MS : 0);
    }
  }

  /** The time the recording has reached by now. */
  #until(due: EpochMs): number {
    const { speed } = this.#options;
    if (speed === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#origin ??= { time: due, wall: this.#now() };
    return this.#origin.time + (this.#now() - this.#origin.wall) * speed;
  }
}
