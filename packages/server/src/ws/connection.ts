// One WebSocket connection: its caller, its subscriptions and the state of its delivery.
import {
  type AuthenticatedNotice,
  type Channel,
  ERRORS,
  type ErrorCode,
  type IngestedNotice,
  type Notice,
  type StreamPosition,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { ServerWebSocket } from 'bun';
import type { z } from 'zod';
import type { Caller } from '../access/keyring.ts';
import type { Conflated } from './conflated.ts';
import type { Subscription } from './topic.ts';

export type Socket = ServerWebSocket<Connection>;
/** The purpose of a connection: reading a channel, or pushing ticks. */
export type StreamKind = Channel | 'ingest';
type ServerNotice = Notice | z.infer<typeof AuthenticatedNotice> | z.infer<typeof IngestedNotice>;
type RequestId = string | number | undefined;

const MAX_BAD_MESSAGES = 10;

/** State of a slow subscriber, which gets only the newest message of each topic. */
export interface Lag {
  /** It got a `slow` notice, and all subscriptions are conflated; if false, only those with `"delivery":"latest"`. */
  warned: boolean;
  /** `seq` of the first message it may have missed. */
  readonly fromSeq: number;
  /** What was not sent, by the key of the topic. */
  readonly conflated: Map<string, Conflated>;
  /** Symbols with dropped messages, and the number of those messages. */
  readonly symbols: Set<MarketSymbol>;
  dropped: number;
}

/** `more`: there is more to send now. `wait`: data is being fetched; the replay wakes the scheduler when it is there. */
export type ReplayProgress = 'more' | 'wait' | 'done';

export interface Replay {
  readonly connection: Connection;
  /** Keys of the topics it replays. If the client unsubscribes one, it is removed from `connection.replaying`. */
  readonly keys: readonly string[];
  /** Sends about TURN_BYTES. */
  step(): ReplayProgress;
}

export class Connection {
  readonly channel: StreamKind;
  readonly address: string;
  readonly openedAt: number;
  socket!: Socket;
  caller: Caller | null;
  /** Messages queued while an earlier one waits for a stream slot, the ingest node or a history; `null` if none does. */
  queued: string[] | null = null;
  /** By the key of the topic. */
  readonly subscriptions = new Map<string, Subscription>();
  /** `null` unless the subscriber is slow. */
  lag: Lag | null = null;
  /** Running replays by topic key: these topics are not live yet. `null` if there are none. */
  replaying: Map<string, Replay> | null = null;
  /** 0: no heartbeat was requested. */
  heartbeatMs = 0;
  heartbeatAt = 0;
  /** Time of the last sign of life. */
  aliveAt: number;
  /** Start of the silence that counts against it: later than `aliveAt` if the service itself stalled. */
  silentSince: number;
  pingAt: number;
  /** Buffered bytes at the last check. */
  buffered = 0;
  /** It is closing: its messages are ignored and nothing more is sent to it. */
  closed = false;
  /** Called once when it starts to close; releases its subscriptions and its slot. */
  onClosing: () => void = () => {};
  /** The close frame to send once everything before it was sent. */
  #closeFrame: { readonly code: number; readonly reason: string } | null = null;
  #badMessages = 0;
  /** Recent incoming messages; decays with time. */
  #recent = 0;
  #admittedAt = 0;

  constructor(channel: StreamKind, address: string, caller: Caller | null, now: number) {
    this.channel = channel;
    this.address = address;
    this.caller = caller;
    this.openedAt = now;
    this.aliveAt = now;
    this.silentSince = now;
    this.pingAt = now;
  }

  markAlive(now: number): void {
    this.aliveAt = now;
    this.silentSince = now;
  }

  /** Counts an incoming message or control frame. Returns false if there were too many; a burst of `perSecond` is allowed. */
  admit(now: number, perSecond: number): boolean {
    const decayed = ((now - this.#admittedAt) * perSecond) / 1000;
    this.#admittedAt = now;
    this.#recent = Math.max(0, this.#recent - decayed) + 1;
    return this.#recent <= perSecond;
  }

  /** Handles queued messages in order. If one has to wait, the rest stays queued behind it. */
  handleQueued(handle: (text: string) => void): void {
    const queued = this.queued ?? [];
    this.queued = null;
    for (const text of queued) {
      if (this.closed) return;
      if (this.#isQueueing) this.queued!.push(text);
      else handle(text);
    }
  }

  notify(notice: ServerNotice): void {
    this.socket.send(JSON.stringify(notice));
  }

  /** Reports an error that leaves the connection open, unless it is the tenth. */
  sendError(code: ErrorCode, message: string, id: RequestId): void {
    this.#error(code, message, false, id);
    if (++this.#badMessages >= MAX_BAD_MESSAGES)
      this.closeWithError('bad_messages', `The connection sent ${MAX_BAD_MESSAGES} bad messages.`);
  }

  /** Reports an error and closes the connection. */
  closeWithError(code: ErrorCode, message: string, id?: RequestId, resumeFrom?: StreamPosition): void {
    if (this.closed) return;
    this.closed = true;
    this.onClosing();
    this.#error(code, message, true, id, resumeFrom);
    this.#closeFrame = { code: closeCodeOf(code), reason: ERRORS[code].title };
    this.buffered = this.socket.getBufferedAmount();
    this.finishClosing();
  }

  /** Sends the close frame once the client has read the error, or now: Bun drops a closing socket that does not drain. */
  finishClosing(now = false): void {
    if (!this.#closeFrame || (!now && this.socket.getBufferedAmount() > 0)) return;
    const { code, reason } = this.#closeFrame;
    this.#closeFrame = null;
    this.socket.close(code, reason);
  }

  get #isQueueing(): boolean {
    return this.queued !== null;
  }

  #error(code: ErrorCode, message: string, fatal: boolean, id: RequestId, resumeFrom?: StreamPosition): void {
    const { retryable } = ERRORS[code];
    const position = resumeFrom ? { resume_from: resumeFrom } : {};
    this.notify({ event: 'error', code, message, fatal, retryable, ...position, ...(id !== undefined && { id }) });
  }
}

const closeCodeOf = (code: ErrorCode): number => {
  const { close }: { close?: number } = ERRORS[code];
  return close ?? 1011;
};
