// One WebSocket connection: who is behind it, what it listens to, how it behaves.
import {
  type AuthenticatedNotice,
  type Channel,
  ERRORS,
  type ErrorCode,
  type IngestedNotice,
  type Notice,
  type Position,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { ServerWebSocket } from 'bun';
import type { z } from 'zod';
import type { Caller } from '../access/keyring.ts';
import type { Tap } from './line.ts';
import type { Owed } from './owed.ts';
import type { Replay } from './replays.ts';

export type Socket = ServerWebSocket<Connection>;
/** What a connection is for: a channel to read, or ticks to bring. */
export type StreamKind = Channel | 'ingest';
type Said = Notice | z.infer<typeof AuthenticatedNotice> | z.infer<typeof IngestedNotice>;
type RequestId = string | number | undefined;

const MAX_BAD_MESSAGES = 10;

/** What is kept of a reader that is behind, while it gets only the newest of each line. */
export interface Lag {
  /** It was told so, and everything it takes is concerned; else only what it wanted the latest of. */
  warned: boolean;
  /** seq of the first message it may not have got. */
  readonly fromSeq: number;
  /** By the key of each line it was taken off. */
  readonly owed: Map<string, Owed>;
  /** Symbols of which messages were left out, and how many. */
  readonly symbols: Set<MarketSymbol>;
  dropped: number;
}

export class Connection {
  readonly channel: StreamKind;
  readonly address: string;
  readonly openedAt: number;
  socket!: Socket;
  caller: Caller | null;
  /** Messages that wait while a stream slot is being found; null otherwise. */
  waiting: string[] | null = null;
  /** What it takes, by the key of the line. */
  readonly subscriptions = new Map<string, Tap>();
  lag: Lag | null = null;
  /** Replays under way, by the keys of the lines they have to bring up to date first; null where there are none. */
  held: Map<string, Replay> | null = null;
  /** 0: none was asked for. */
  heartbeatMs = 0;
  heartbeatAt = 0;
  /** Time of the last sign of life. */
  heardAt: number;
  /** Since when it could have been heard and was not: later than `heardAt` where the service itself was held up. */
  silentSince: number;
  pingAt: number;
  /** Bytes that waited for it when it was last looked at. */
  buffered = 0;
  /** Its end has begun: nothing it says counts, nothing more is sent to it. */
  closed = false;
  /** Takes it off everything it takes; told when its end begins. */
  onEnd: () => void = () => {};
  /** How it is to be closed once everything was sent. */
  #farewell: { readonly code: number; readonly reason: string } | null = null;
  #badMessages = 0;
  /** Messages that count against the next ones; they wear off with time. */
  #recent = 0;
  #admittedAt = 0;

  constructor(channel: StreamKind, address: string, caller: Caller | null, now: number) {
    this.channel = channel;
    this.address = address;
    this.caller = caller;
    this.openedAt = now;
    this.heardAt = now;
    this.silentSince = now;
    this.pingAt = now;
  }

  heard(now: number): void {
    this.heardAt = now;
    this.silentSince = now;
  }

  /** Counts an incoming message or control frame; false where there were too many. That many may come at once. */
  admit(now: number, perSecond: number): boolean {
    const wornOff = ((now - this.#admittedAt) * perSecond) / 1000;
    this.#admittedAt = now;
    this.#recent = Math.max(0, this.#recent - wornOff) + 1;
    return this.#recent <= perSecond;
  }

  notify(notice: Said): void {
    this.socket.send(JSON.stringify(notice));
  }

  /** An error the connection survives, unless it is the tenth. */
  complain(code: ErrorCode, message: string, id: RequestId): void {
    this.#error(code, message, false, id);
    if (++this.#badMessages >= MAX_BAD_MESSAGES) this.end('bad_messages', 'Ten bad messages on one connection.');
  }

  /** An error the connection does not survive. */
  end(code: ErrorCode, message: string, id?: RequestId, resumeFrom?: Position): void {
    if (this.closed) return;
    this.closed = true;
    this.onEnd();
    this.#error(code, message, true, id, resumeFrom);
    this.#farewell = { code: closeCodeOf(code), reason: ERRORS[code].title };
    this.buffered = this.socket.getBufferedAmount();
    this.finish();
  }

  /** Closes it when it has read why, or at once: the runtime drops a closing connection that has not drained in seconds. */
  finish(atOnce = false): void {
    if (!this.#farewell || (!atOnce && this.socket.getBufferedAmount() > 0)) return;
    const { code, reason } = this.#farewell;
    this.#farewell = null;
    this.socket.close(code, reason);
  }

  #error(code: ErrorCode, message: string, fatal: boolean, id: RequestId, resumeFrom?: Position): void {
    const { retryable } = ERRORS[code];
    const position = resumeFrom ? { resume_from: resumeFrom } : {};
    this.notify({ event: 'error', code, message, fatal, retryable, ...position, ...(id !== undefined && { id }) });
  }
}

const closeCodeOf = (code: ErrorCode): number => {
  const { close }: { close?: number } = ERRORS[code];
  return close ?? 1011;
};
