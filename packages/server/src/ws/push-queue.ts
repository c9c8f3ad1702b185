// Frames of lines that a connection to `/ws/ingest` has sent. The first one of a turn of the event loop is handled at once, those that
// arrive in the same turn together, so that a fast client costs few batches and never holds up other connections. A client that
// sends faster than its lines are taken is not cut off: it is no longer read, and TCP slows it down.
import type { IngestAnswer } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Connection } from './connection.ts';

/** Frames that wait before the connection is no longer read. Those that were read with them still arrive. */
const MAX_WAITING = 64;
/** Lines that are handled at once. An answer lists as many rejected ones, so it can be told which frame each belongs to. */
const MAX_LINES = 1_000;
/** Bytes of answers that the client has not read before the connection is no longer read. */
const MAX_UNREAD = 1024 * 1024;
/** Lines are counted over a minute: those of a frame that does not fit after this time never will. */
const MAX_PAUSE_MS = 61_000;
const RETRY_MS = 1_000;

/** Accepts lines of ticks from a WebSocket, in this process or by forwarding them to the ingest node. */
export interface PushLines {
  /** Throws if the service does not accept pushed ticks. */
  open(): void;
  push(caller: Caller, lines: readonly string[]): IngestAnswer | Promise<IngestAnswer>;
}

export interface PushQueueOptions {
  readonly connection: Connection;
  readonly ingest: PushLines;
  readonly now: () => number;
  /** Called for an error that occurs after `add` has returned. */
  readonly onFault: (error: unknown) => void;
}

export class PushQueue {
  readonly #options: PushQueueOptions;
  #waiting: string[] = [];
  /** Until the next turn, until lines are answered, or while the allowance is used up. */
  #isBusy = false;
  /** Waits until the client reads its answers. */
  #isUnread = false;
  /** When the allowance was found to be used up; `null` if it is not. */
  #pausedAt: number | null = null;

  constructor(options: PushQueueOptions) {
    this.#options = options;
  }

  add(frame: string): void {
    this.#waiting.push(frame);
    if (!this.#isBusy) this.#handle(MAX_LINES);
    else if (this.#waiting.length >= MAX_WAITING) this.#options.connection.stopReading();
  }

  /** The client has read a part of its answers. */
  drained(): void {
    if (!this.#isUnread) return;
    this.#isUnread = false;
    this.#continue();
  }

  /** Handles the oldest frames: one at least, and no more than `most` lines if there are several. */
  #handle(most: number): void {
    const { connection, ingest } = this.#options;
    this.#isBusy = true;
    const frames: string[][] = [];
    let count = 0;
    for (const text of this.#waiting) {
      const lines = text.split('\n');
      if (frames.length > 0 && count + lines.length > most) break;
      frames.push(lines);
      count += lines.length;
    }
    const handled = this.#waiting.splice(0, frames.length);
    try {
      const answer = ingest.push(connection.caller!, frames.length === 1 ? frames[0]! : frames.flat());
      if (!(answer instanceof Promise)) this.#answer(frames, answer);
      else
        answer
          .then(
            (result) => this.#answer(frames, result),
            (error) => this.#refuse(handled, error),
          )
          .catch(this.#options.onFault);
    } catch (error) {
      this.#refuse(handled, error);
    }
  }

  #answer(frames: readonly string[][], answer: IngestAnswer): void {
    const { connection } = this.#options;
    this.#pausedAt = null;
    if (frames.length === 1) connection.notify({ event: 'ingested', ...answer });
    else
      connection.socket.cork(() => {
        for (const each of splitAnswer(frames, answer)) connection.notify({ event: 'ingested', ...each });
      });
    setImmediate(this.#continue);
  }

  readonly #continue = (): void => {
    const { connection } = this.#options;
    if (connection.closed) return;
    if (connection.socket.getBufferedAmount() > MAX_UNREAD) {
      this.#isUnread = true;
      connection.stopReading();
    } else if (this.#waiting.length > 0) this.#handle(MAX_LINES);
    else {
      this.#isBusy = false;
      connection.continueReading();
    }
  };

  #refuse(frames: readonly string[], error: unknown): void {
    const { connection, now } = this.#options;
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'ingest_disabled') {
      connection.closeWithError(error.code, error.message);
      return;
    }
    const isPaused = error.code === 'rate_limited' && now() - (this.#pausedAt ?? now()) < MAX_PAUSE_MS;
    if (!isPaused) {
      this.#pausedAt = null;
      for (const _ of frames) connection.sendError(error.code, error.message, undefined);
      setImmediate(this.#continue);
      return;
    }
    this.#waiting = [...frames, ...this.#waiting];
    if (frames.length > 1) this.#handle(1);
    else this.#pause(error);
  }

  /** The allowance is used up. The frame is tried again every second. */
  #pause({ options: { retryAfterSeconds = 1 } }: ServiceError): void {
    const { connection, now } = this.#options;
    if (this.#pausedAt === null) connection.notify({ event: 'paused', seconds: retryAfterSeconds });
    this.#pausedAt ??= now();
    connection.stopReading();
    // A connection that is not read gives no sign of life.
    connection.markAlive(now());
    setTimeout(this.#continue, Math.min(RETRY_MS, retryAfterSeconds * 1_000));
  }
}

/** The answer to each frame. Line numbers start at 1 in each. */
function splitAnswer(frames: readonly string[][], { rejected }: IngestAnswer): IngestAnswer[] {
  let [before, next] = [0, 0];
  return frames.map((lines) => {
    const own: IngestAnswer['rejected'] = [];
    for (; next < rejected.length && rejected[next]!.line <= before + lines.length; next++)
      own.push({ ...rejected[next]!, line: rejected[next]!.line - before });
    before += lines.length;
    const filled = lines.filter((line) => line !== '' && line !== '\r').length;
    return { accepted: filled - own.length, rejected: own, rejected_count: own.length };
  });
}
