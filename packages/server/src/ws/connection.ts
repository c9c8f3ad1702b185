// One connection of a client: its caller, its subscribers and how it ends.
import {
  type AuthenticatedNotice,
  CHANNELS,
  type Channel,
  ERRORS,
  type ErrorCode,
  type IngestedNotice,
  type Notice,
  type PausedNotice,
  type StreamChannel,
} from '@tickwire/contract';
import type { ServerWebSocket, WebSocketHandler } from 'bun';
import type { Caller } from '../access/keyring.ts';
import type { StreamSocket } from './stream-socket.ts';
import { type ErrorContext, type RequestId, Subscriber, type SubscriberConnection } from './subscriber.ts';

export type Socket = ServerWebSocket<Connection>;
/** The purpose of a connection: reading one channel, reading any of them over `/ws` or `/sse`, or pushing ticks. */
export type StreamKind = Channel | 'ws' | 'sse' | 'ingest';
type ServerNotice = Notice | AuthenticatedNotice | IngestedNotice | PausedNotice;

const MAX_BAD_MESSAGES = 10;
const NO_CONTEXT: readonly ErrorContext[] = [{}];

export class Connection implements SubscriberConnection {
  readonly channel: StreamKind;
  readonly address: string;
  readonly openedAt: number;
  socket!: StreamSocket;
  /** That of its gateway; `null` for the usual one of the port. */
  handler: WebSocketHandler<Connection> | null = null;
  caller: Caller | null;
  /** Messages queued while an earlier one waits for a stream slot, the ingest node or a history; `null` if none does. */
  queued: string[] | null = null;
  readonly subscribers: Subscriber[] = [];
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
  onClosing: (code: ErrorCode) => void = () => {};
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
    if (isChannel(channel)) this.subscribers.push(Subscriber.of(this, channel));
  }

  /** The subscriber of a channel, if the client has named it before. */
  knownSubscriber(channel: StreamChannel): Subscriber | undefined {
    return this.subscribers.find(({ name }) => name === channel);
  }

  /** The subscriber of a channel on a connection that carries several. */
  subscriber(channel: StreamChannel): Subscriber {
    const known = this.knownSubscriber(channel);
    if (known) return known;
    const subscriber = Subscriber.named(this, channel);
    this.subscribers.push(subscriber);
    return subscriber;
  }

  get subscriptionCount(): number {
    return this.subscribers.reduce((sum, { subscriptions }) => sum + subscriptions.size, 0);
  }

  /** Whether a subscriber is slow and gets only the newest messages. */
  get isBehind(): boolean {
    return this.subscribers.some(({ lag }) => lag !== null);
  }

  get isSlow(): boolean {
    return this.subscribers.some(({ lag }) => lag?.warned);
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

  /** Nothing that the client sends is read until `continueReading`. Some that is on its way may still arrive. */
  stopReading(): void {
    this.#reading?.pause();
  }

  continueReading(): void {
    if (this.#reading?.isPaused) this.#reading.resume();
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
    if (!this.#isQueueing) this.continueReading();
  }

  notify(notice: ServerNotice): void {
    this.socket.send(JSON.stringify(notice));
  }

  /** Reports an error that leaves the connection open, unless it is the tenth. */
  sendError(code: ErrorCode, message: string, id: RequestId, about: ErrorContext = {}): void {
    this.#error(code, message, false, id, about);
    if (++this.#badMessages >= MAX_BAD_MESSAGES)
      this.closeWithError('bad_messages', `The connection sent ${MAX_BAD_MESSAGES} bad messages.`);
  }

  /** Reports an error, once for each channel that it is about, and closes the connection. */
  closeWithError(code: ErrorCode, message: string, id?: RequestId, about = NO_CONTEXT): void {
    if (this.closed) return;
    this.closed = true;
    this.onClosing(code);
    for (const each of about) this.#error(code, message, true, id, each);
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

  /** `null` for server-sent events. */
  get #reading(): Pick<Socket, 'pause' | 'resume' | 'isPaused'> | null {
    return 'pause' in this.socket ? (this.socket as Socket) : null;
  }

  get #isQueueing(): boolean {
    return this.queued !== null;
  }

  #error(code: ErrorCode, message: string, fatal: boolean, id: RequestId, about: ErrorContext): void {
    const { channel, resume_from } = about;
    this.notify({
      event: 'error',
      ...(channel && { channel }),
      code,
      message,
      fatal,
      retryable: ERRORS[code].retryable,
      ...(resume_from && { resume_from }),
      ...(id !== undefined && { id }),
    });
  }
}

const isChannel = (kind: StreamKind): kind is Channel => (CHANNELS as readonly StreamKind[]).includes(kind);

const closeCodeOf = (code: ErrorCode): number => {
  const { close }: { close?: number } = ERRORS[code];
  return close ?? 1011;
};
