// A subscription that survives its connections: on each new connection it resumes where it was, and reports a gap if that
// is not possible.
import type { ErrorCode, GapNotice, Notice, SubscriptionNotice } from '../common/contract.ts';
import { TickwireError } from '../common/tickwire-error.ts';
import type { Timing } from '../common/timing.ts';
import type { Credentials } from '../rest/credentials.ts';
import { errorCodeOf } from './close-codes.ts';
import { type Gap, gapFromNotice, unknownGap } from './gap.ts';
import { isNumberedBySymbol, type MessageOf, namesChannel, type StreamKind } from './messages.ts';
import {
  ReconnectingSocket,
  type ReconnectingSocketEvents,
  type StateDetail,
  type StreamState,
} from './reconnecting-socket.ts';
import { type SequencedMessage, SequenceTracker } from './sequence-tracker.ts';
import type { SharedConnections } from './shared-connection.ts';
import type { StreamSocket } from './shared-socket.ts';
import { normaliseSymbols, type ResolvedOptions, resolveOptions, type StreamOptions } from './stream-options.ts';
import type { SubscriptionRequest } from './subscription-batches.ts';
import type { WebSocketConstructor } from './web-socket.ts';

/** Callbacks of {@link TickwireClient.stream}. They are called as messages arrive; nothing is buffered. */
export interface StreamHandlers<K extends StreamKind> {
  /** Called with each message. */
  readonly onMessage: (message: MessageOf<K>) => void;
  /** Called if messages are missing, or may be. If it is not called, nothing is missing. */
  readonly onGap?: (gap: Gap) => void;
  /**
   * Called if the service rejected some of the symbols, for example because they do not exist; the stream continues with the
   * others. Without it, the stream ends with an error.
   */
  readonly onRejected?: (rejected: readonly RejectedSymbol[]) => void;
  /** Called with each response and notice of the service, except pongs. */
  readonly onNotice?: (notice: Notice) => void;
  /**
   * Called at each change of state. Without it, {@link TickwireClient} writes to the console the first failed attempt to connect, and
   * the reason if the service ends the stream for good.
   */
  readonly onState?: (state: StreamState, detail: StateDetail) => void;
}

/** Where a stream connects to, and with what. */
export interface ConnectionConfig {
  /** WebSocket URL of the channel, for a separate connection. */
  readonly url: string;
  /** A key is sent in the first message, a session in the headers of the handshake. */
  readonly credentials: Credentials;
  /** The WebSocket class. */
  readonly WebSocket: WebSocketConstructor;
  /** Clock, timers and random numbers. */
  readonly timing: Timing;
  /** The `SharedConnections` of the client; `undefined` if the stream must have a separate connection. */
  readonly shared?: object | undefined;
}

/** How late a heartbeat may be. */
const HEARTBEAT_GRACE_MS = 1_000;

/** A symbol that the service did not subscribe, and why. */
export type RejectedSymbol = SubscriptionNotice['rejected'][number];

interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A stream with callbacks, opened with {@link TickwireClient.stream}. It reconnects and resumes by itself. */
export class Stream<K extends StreamKind> {
  readonly #kind: K;
  readonly #apiKey: string | undefined;
  readonly #handlers: StreamHandlers<K>;
  readonly #options: ResolvedOptions;
  readonly #socket: StreamSocket;
  /** `null` if the stream cannot resume. */
  readonly #tracker: SequenceTracker | null;
  #symbols: readonly string[];
  /** Whether a connection has been opened before. */
  #started = false;
  /** Whether the service has confirmed a subscription on this connection. */
  #confirmed = false;
  #rejection: Rejection | null = null;

  /** Created by {@link TickwireClient.stream}. */
  constructor(config: ConnectionConfig, kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>) {
    const resolved = resolveOptions(kind, options);
    this.#kind = kind;
    this.#apiKey = config.credentials.apiKey;
    this.#handlers = handlers;
    this.#options = resolved;
    this.#symbols = resolved.symbols;
    this.#tracker = resolved.resumes
      ? new SequenceTracker(isNumberedBySymbol(kind), (gap) => handlers.onGap?.(gap))
      : null;
    if (resolved.resumeFrom) this.#tracker?.startAt(resolved.symbols, resolved.resumeFrom);
    const silenceMs = resolved.heartbeatSeconds * 1_000 + HEARTBEAT_GRACE_MS;
    const socketOptions = { ...config, silenceMs };
    const events: ReconnectingSocketEvents = {
      onOpen: () => this.#subscribe(),
      onMessage: (message) => this.#receive(message),
      onFinalClose: ({ code, reason }) => {
        this.#rejection ??= { code: errorCodeOf(code), message: reason };
      },
      onState: (state, detail) => handlers.onState?.(state, detail),
    };
    const { timeframe } = resolved.flags as { readonly timeframe?: string };
    const topics = () => ({ kind, symbols: this.#symbols, timeframe });
    this.#socket = config.shared
      ? (config.shared as SharedConnections).socket(socketOptions, topics, events)
      : new ReconnectingSocket(socketOptions, events);
    this.#socket.open();
  }

  /** The current state. */
  get state(): StreamState {
    return this.#socket.state;
  }

  /** The subscribed symbols, in upper case. */
  get symbols(): readonly string[] {
    return this.#symbols;
  }

  /** Why the service ended the stream; `null` if it did not. */
  get error(): TickwireError | null {
    if (!this.#rejection || this.state !== 'closed') return null;
    return new TickwireError({ status: 0, code: this.#rejection.code, detail: this.#rejection.message });
  }

  /**
   * Replaces the subscribed symbols without reconnecting.
   * @example stream.setSymbols(['EURUSD', 'XAUUSD']);
   */
  setSymbols(symbols: readonly string[]): void {
    const next = normaliseSymbols(this.#kind, symbols);
    const previous = this.#symbols;
    this.#symbols = next;
    if (!this.#started) return;
    const removed = previous.filter((symbol) => !next.includes(symbol));
    // "*" has no members that could be removed one by one.
    const replaceAll = previous.includes('*') && removed.length > 0;
    const added = replaceAll ? next : next.filter((symbol) => !previous.includes(symbol));
    if (replaceAll) this.#tracker?.clear();
    else this.#tracker?.remove(removed);
    const requests = this.#requestsFor(added);
    const { flags } = this.#options;
    const { channel, timeframe } = flags;
    if (removed.length > 0)
      this.#socket.send({ action: 'unsubscribe', ...(replaceAll ? {} : { symbols: removed }), channel, timeframe });
    for (const request of requests) this.#socket.send({ action: 'subscribe', ...request, ...flags });
  }

  /**
   * Closes the stream for good.
   * @example stream.close();
   */
  close(): void {
    if (this.state === 'closed') return;
    this.#rejection = null;
    this.#socket.close({ code: 1000, reason: 'closed by the client' });
  }

  /**
   * Disconnects until {@link Stream.resume} is called. A paused stream does not count against the tier's streams.
   * @example stream.pause();
   */
  pause(): void {
    this.#socket.pause();
  }

  /**
   * Reconnects after {@link Stream.pause}. Messages sent in between follow, or a gap.
   * @example stream.resume();
   */
  resume(): void {
    this.#socket.open();
  }

  /**
   * Sends a request without options: `list` asks for the current subscriptions, `next` in lockstep with a replay for the next time.
   * The reply goes to `onNotice`.
   * @example stream.ask('list');
   */
  ask(action: 'list' | 'next'): void {
    this.#socket.send({ action });
  }

  #subscribe(): void {
    const { flags, heartbeatSeconds: heartbeat, fill } = this.#options;
    const first = !this.#started;
    this.#started = true;
    this.#confirmed = false;
    // A rejection on an earlier connection does not explain the end of this one.
    this.#rejection = null;
    if (!first && !this.#tracker) this.#handlers.onGap?.({ ...unknownGap('resume', this.#symbols, null), fill });
    const isNew = first && !this.#options.resumeFrom;
    const requests = isNew || !this.#tracker ? this.#requestsFor(this.#symbols) : this.#tracker.resume();
    const key = this.#apiKey === undefined ? {} : { api_key: this.#apiKey };
    for (const [index, request] of requests.entries())
      this.#socket.send({ action: 'subscribe', ...request, ...(index === 0 && { heartbeat, ...key }), ...flags });
  }

  #requestsFor(symbols: readonly string[]): SubscriptionRequest[] {
    if (symbols.length === 0) return [];
    return this.#tracker?.add(symbols) ?? [{ symbols }];
  }

  #receive(message: object): void {
    if ('event' in message) this.#receiveNotice(message as Notice);
    else {
      this.#socket.markLive();
      if (this.#tracker?.accept(message as SequencedMessage) ?? true)
        this.#handlers.onMessage(this.#shown(message) as MessageOf<K>);
    }
  }

  /** The message as its type has it, on any connection: on a shared connection, every message names its channel. */
  #shown(message: object): object {
    const named = namesChannel(this.#kind) || !('channel' in message) ? message : withoutChannel(message);
    return this.#options.showsSeq ? named : withoutSequence(named);
  }

  #receiveNotice(notice: Notice): void {
    if (notice.event === 'pong') return;
    const subscribing = this.state === 'connecting';
    this.#track(notice);
    this.#handlers.onNotice?.(notice);
    const rejection = rejectionIn(notice, subscribing, this.#symbols.length) ?? this.#unhandledSymbols(notice);
    if (!rejection) {
      // Live once nothing can be lost unnoticed: the stream is subscribed and has a position to resume from.
      if (notice.event !== 'error' && this.#confirmed && (this.#tracker?.positioned ?? true)) this.#socket.markLive();
      return;
    }
    this.#rejection = rejection;
    // After a fatal error the service closes the connection itself.
    if (notice.event !== 'error' || !notice.fatal) this.#socket.close({ code: 4400, reason: rejection.message });
  }

  /** Reports rejected symbols. Returns a rejection of the stream if nobody handles them. */
  #unhandledSymbols(notice: Notice): Rejection | null {
    const { onRejected } = this.#handlers;
    if (notice.event !== 'subscribed' || notice.rejected.length === 0) return null;
    onRejected?.(notice.rejected);
    if (onRejected) return null;
    const [{ code }] = notice.rejected as [RejectedSymbol];
    const message = `Some symbols were rejected: ${listed(notice.rejected)}. Pass onRejected to continue with the others`;
    return { code, message };
  }

  #track(notice: Notice): void {
    const tracker = this.#tracker;
    if (notice.event === 'subscribed') {
      this.#confirmed = true;
      tracker?.onSubscribed(notice);
    } else if (notice.event === 'slow') tracker?.onSlow();
    else if (notice.event === 'gap') this.#trackGap(notice);
    else if (notice.event === 'heartbeat') tracker?.onHeartbeat(notice);
    else if (notice.event === 'error' && notice.resume_from) tracker?.onPosition(notice.resume_from);
  }

  #trackGap(notice: GapNotice): void {
    if (this.#tracker) this.#tracker.onGapNotice(notice);
    else this.#handlers.onGap?.(gapFromNotice(notice, null));
  }
}

/** The rejection in a notice, if repeating the request would be rejected again. */
function rejectionIn(notice: Notice, subscribing: boolean, symbolCount: number): Rejection | null {
  if (notice.event === 'error') return notice.fatal || (subscribing && !notice.retryable) ? notice : null;
  if (notice.event !== 'subscribed' || notice.symbols.length > 0 || notice.bars || notice.footprints) return null;
  const [first] = notice.rejected;
  if (!first || notice.rejected.length < symbolCount) return null;
  return { code: first.code, message: `All symbols were rejected: ${listed(notice.rejected)}` };
}

const listed = (rejected: readonly RejectedSymbol[]): string => rejected.map(({ symbol }) => symbol).join(', ');

function withoutChannel({ channel: _, ...rest }: object & { readonly channel?: unknown }): object {
  return rest;
}

function withoutSequence(message: object): object {
  const { seq: _seq, prev: _prev, epoch: _epoch, ...rest } = message as SequencedMessage;
  return rest;
}
