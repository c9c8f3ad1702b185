// One WebSocket connection: who is behind it, what it listens to, how it behaves.
import {
  type AuthenticatedNotice,
  type Channel,
  ERRORS,
  type ErrorCode,
  type IngestedNotice,
  type Notice,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { ServerWebSocket } from 'bun';
import type { z } from 'zod';
import type { Caller } from '../access/keyring.ts';
import type { Variant } from './line.ts';

export type Socket = ServerWebSocket<Connection>;
/** What a connection is for: a channel to read, or ticks to bring. */
export type StreamKind = Channel | 'ingest';
type Said = Notice | z.infer<typeof AuthenticatedNotice> | z.infer<typeof IngestedNotice>;
type RequestId = string | number | undefined;

const MESSAGES_PER_SECOND = 100;
const MAX_BAD_MESSAGES = 10;

/** What a slow reader left: counts of each line when it was taken off the topics. */
export interface Lag {
  readonly since: number;
  readonly fromSeq: number;
  /** Messages of each line that were sent or declared left out. */
  readonly seen: Map<MarketSymbol, number>;
  /** Lines of which something was left out. */
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
  readonly subscriptions = new Map<MarketSymbol, Variant>();
  lag: Lag | null = null;
  /** Time of the last sign of life. */
  heardAt: number;
  pingAt: number;
  closed = false;
  #badMessages = 0;
  #second = 0;
  #inSecond = 0;

  constructor(channel: StreamKind, address: string, caller: Caller | null, now: number) {
    this.channel = channel;
    this.address = address;
    this.caller = caller;
    this.openedAt = now;
    this.heardAt = now;
    this.pingAt = now;
  }

  /** Counts an incoming message; false where there are too many in this second. */
  admit(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    return ++this.#inSecond <= MESSAGES_PER_SECOND;
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
  end(code: ErrorCode, message: string, id?: RequestId): void {
    if (this.closed) return;
    this.closed = true;
    this.#error(code, message, true, id);
    this.socket.close(closeCodeOf(code), ERRORS[code].title);
  }

  #error(code: ErrorCode, message: string, fatal: boolean, id: RequestId): void {
    const { retryable } = ERRORS[code];
    this.notify({ event: 'error', code, message, fatal, retryable, ...(id !== undefined && { id }) });
  }
}

const closeCodeOf = (code: ErrorCode): number => {
  const { close }: { close?: number } = ERRORS[code];
  return close ?? 1011;
};
