// Opens streams and tracks their health. Streams close with the session, or with the signal of the page that opened them, and
// pause while nobody looks at the tab, but for prices, which the tab's title shows, and alerts that make a sound. If the limit of
// streams is reached, the tab asks the hidden ones of the browser for theirs.
import { signal } from '@preact/signals';
import {
  type CoreClient,
  type Notice,
  type StateDetail,
  type Stream,
  type StreamHandlers,
  type StreamKind,
  type StreamOptions,
  type StreamState,
  TickwireError,
} from '@tickwire/client';
import { preferences } from '../ui/preferences.ts';
import { IdleStreams } from './idle-streams.ts';
import type { Notifier } from './notifier.ts';
import type { ServiceStatus } from './service-status.ts';
import type { Session } from './session.ts';
import { type OpenBars, SharedBars } from './shared-bars.ts';

/** Closed by this side. */
const CLOSE_NORMAL = 1000;
const CLOSE_INVALID_KEY = 4401;
/** The limit of open streams is reached. */
const CLOSE_LIMIT = 4429;

export type TerminalStream = 'market' | 'orderflow' | 'signals' | 'news' | 'bars' | 'footprint' | 'alerts';

export interface StreamHealth {
  readonly state: StreamState;
  /** Why the stream ended; '' if it is open or no reason was given. */
  readonly reason: string;
  /** Time of the next attempt, milliseconds since the epoch; `null` if none is scheduled. */
  readonly retryAt: number | null;
  /** The stream was live before: separates a lost connection from a first one. */
  readonly wasLive: boolean;
  /** Refused because the limit of open streams is reached. The stream keeps retrying. */
  readonly limited: boolean;
}

/** Hidden tabs of the browser hear that another one lacks a stream. */
const LACKING = 'tickwire.streams';

export interface StreamServiceOptions {
  readonly client: CoreClient;
  readonly session: Pick<Session, 'signal' | 'signedIn' | 'end'>;
  readonly notifier: Notifier;
  readonly status: ServiceStatus;
}

export class StreamService {
  /** Of every stream that is open or reconnecting. */
  readonly health = signal<ReadonlyMap<StreamKind, StreamHealth>>(new Map());
  readonly #options: StreamServiceOptions;
  readonly #idle: IdleStreams;
  readonly #tabs = new BroadcastChannel(LACKING);
  readonly #bars = new SharedBars((options, handlers) => this.open('bars', options, handlers));

  constructor(options: StreamServiceOptions) {
    this.#options = options;
    this.#idle = new IdleStreams(document, options.session.signal);
    this.#tabs.onmessage = () => this.#idle.give();
    options.session.signal.addEventListener('abort', () => this.#tabs.close());
  }

  /** The displayed prices are current, as far as the connection goes. */
  get pricesLive(): boolean {
    return this.health.value.get('market')?.state === 'live';
  }

  /** Charts share the bars of a symbol and a timeframe. */
  readonly openBars: OpenBars = this.#bars.open;

  open<K extends TerminalStream>(
    kind: K,
    options: StreamOptions<K>,
    handlers: StreamHandlers<K>,
    signal?: AbortSignal,
  ): Stream<K> {
    const { client, session, notifier, status } = this.#options;
    const closed = new AbortController();
    const stream = client.stream<K>(kind, options, {
      ...handlers,
      onState: (state: StreamState, detail: StateDetail) => {
        this.#record(kind, state, detail);
        if (state === 'closed') closed.abort();
        handlers.onState?.(state, detail);
        if (detail.end?.code === CLOSE_INVALID_KEY && !session.signal.aborted) this.#endSession(detail.end.reason);
      },
      onRejected: (rejected) => {
        notifier.show(`Not available: ${rejected.map(({ symbol }) => symbol).join(', ')}`);
        handlers.onRejected?.(rejected);
      },
      onNotice: (notice: Notice) => {
        if (notice.event === 'error') notifier.show(notice.message);
        if (notice.event === 'subscribed' && notice.source === 'simulated') status.simulated.value = true;
        handlers.onNotice?.(notice);
      },
    });
    for (const end of [session.signal, ...(signal ? [signal] : [])])
      end.addEventListener('abort', () => stream.close(), { signal: closed.signal });
    const heard = kind === 'alerts' && preferences.choices.alertSound;
    this.#idle.add(stream, closed.signal, kind === 'market' || heard);
    return stream;
  }

  #record(kind: StreamKind, state: StreamState, { end, retryInMs }: StateDetail): void {
    const health = new Map(this.health.peek());
    const before = health.get(kind);
    const isLimited = end?.code === CLOSE_LIMIT;
    if (isLimited && !document.hidden && !this.#options.session.signal.aborted) this.#tabs.postMessage(kind);
    // A stream that the page closed, or that pauses in a hidden tab, is no fault of the connection.
    if (end?.code === CLOSE_NORMAL) health.delete(kind);
    else {
      // Until a retry succeeds, the limit is assumed to hold.
      const retrying = state === 'connecting' && end === null && (before?.limited ?? false);
      health.set(kind, {
        state,
        reason: end?.reason ?? '',
        retryAt: retryInMs === null ? null : Date.now() + retryInMs,
        wasLive: state === 'live' || (before?.wasLive ?? false),
        limited: retrying || isLimited,
      });
    }
    this.health.value = health;
  }

  #endSession(detail: string): void {
    const { session } = this.#options;
    const code = session.signedIn ? 'invalid_session' : 'invalid_key';
    session.end(new TickwireError({ status: 401, code, detail }));
  }
}
