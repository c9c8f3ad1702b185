// Opens streams and tracks their health. Streams close with the session, or with the signal of the page that opened them, and
// pause while nobody looks at the tab, but for prices, which the tab's title shows, and alerts that make a sound. If the limit of
// streams is reached, another tab of the browser passes on what it receives.
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
import { type PlainStream, type SharedStream, SharedStreams, UNKNOWN_GAP } from './shared-streams.ts';
import { CLOSE_LIMIT, nextHealth, type StreamHealth } from './stream-health.ts';
import type { TabRelay } from './tab-relay.ts';

/** Closed by this side. */
const CLOSE_NORMAL = 1000;
const CLOSE_INVALID_KEY = 4401;

export type TerminalStream =
  | 'market'
  | 'orderflow'
  | 'perpetual'
  | 'signals'
  | 'news'
  | 'bars'
  | 'footprint'
  | 'alerts';

export interface StreamServiceOptions {
  readonly client: CoreClient;
  readonly session: Pick<Session, 'account' | 'signal' | 'signedIn' | 'end'>;
  readonly notifier: Notifier;
  readonly status: ServiceStatus;
}

export class StreamService {
  /** Of every stream that is open or reconnecting. */
  readonly health = signal<ReadonlyMap<StreamKind, StreamHealth>>(new Map());
  readonly #options: StreamServiceOptions;
  readonly #idle: IdleStreams;
  readonly #shared = new SharedStreams((kind, options, handlers) => this.#openPlain(kind, options, handlers));
  /** Not part of the first load. `null` with an API key, or if it cannot be loaded. */
  readonly #relay: Promise<TabRelay | null>;
  /** Streams that are live on a connection of this tab. */
  readonly #live = new Set<PlainStream>();
  /** Number of streams that another tab passes on. A tab that has one lends none: two tabs would wait for each other. */
  #borrowed = 0;

  constructor(options: StreamServiceOptions) {
    const { account, signal } = options.session;
    this.#options = options;
    this.#idle = new IdleStreams(document, signal);
    this.#relay = account === null ? Promise.resolve(null) : this.#loadRelay(account.id).catch(() => null);
  }

  async #loadRelay(account: string): Promise<TabRelay> {
    const { TabRelay: Relay } = await import('./tab-relay.ts');
    return new Relay({
      account,
      lend: ({ kind, options }, handlers) => this.#shared.open(kind, options, handlers),
      canLend: () => this.#live.size > 0 && this.#borrowed === 0,
      signal: this.#options.session.signal,
    });
  }

  /** The displayed prices are current, as far as the connection goes. */
  get pricesLive(): boolean {
    return this.health.value.get('market')?.state === 'live';
  }

  open<K extends TerminalStream>(
    kind: K,
    options: StreamOptions<K>,
    handlers: StreamHandlers<K>,
    signal?: AbortSignal,
  ): SharedStream {
    const { session, notifier, status } = this.#options;
    const closed = new AbortController();
    const wrapped: StreamHandlers<K> = {
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
        if (notice.event === 'subscribed') status.recordSource(notice.source === 'simulated');
        handlers.onNotice?.(notice);
      },
    };
    const stream = this.#shared.open(kind, options, wrapped as unknown as StreamHandlers<StreamKind>);
    for (const end of [session.signal, ...(signal ? [signal] : [])])
      end.addEventListener('abort', () => stream.close(), { signal: closed.signal });
    const heard = kind === 'alerts' && preferences.choices.alertSound;
    if (kind !== 'market' && !heard) this.#idle.add(stream, closed.signal);
    return stream;
  }

  /** A stream on a connection of this tab, or, while the limit of streams is reached, of another tab. */
  #openPlain(kind: StreamKind, options: StreamOptions<StreamKind>, handlers: StreamHandlers<StreamKind>): PlainStream {
    let borrowed: { close(): void } | null = null;
    let isAsking = false;
    let isWanted = true;
    const enter = (state: StreamState, detail: StateDetail): void => {
      if (state === 'live') this.#live.add(stream);
      else this.#live.delete(stream);
      if (borrowed) return;
      const isLimited = detail.end?.code === CLOSE_LIMIT;
      if (isLimited && !isAsking) void ask(state, detail);
      else if (!isLimited || !isAsking) handlers.onState?.(state, detail);
    };
    const onNotice = (notice: Notice): void => {
      // Another tab helps; if none does, the status says so.
      if (notice.event !== 'error' || notice.code !== 'stream_limit') handlers.onNotice?.(notice);
    };
    const open = (): Stream<StreamKind> =>
      this.#options.client.stream(kind, options, { ...handlers, onNotice, onState: enter });
    const ask = async (state: StreamState, detail: StateDetail): Promise<void> => {
      isAsking = true;
      const found = await (await this.#relay)?.borrow({ kind, options }, handlers, giveBack);
      isAsking = false;
      if (!isWanted || direct.state === 'live') found?.close();
      else if (found) {
        borrowed = found;
        this.#borrowed++;
        // Its position would be old when the other tab is closed.
        direct.close();
        handlers.onGap?.(UNKNOWN_GAP);
      } else handlers.onState?.(state, detail);
    };
    const giveBack = (): void => {
      if (!borrowed) return;
      borrowed.close();
      borrowed = null;
      this.#borrowed--;
      if (isWanted) reopen();
    };
    const reopen = (): void => {
      direct = open();
      handlers.onGap?.(UNKNOWN_GAP);
    };
    const stream: PlainStream = {
      pause() {
        isWanted = false;
        giveBack();
        direct.pause();
      },
      resume() {
        isWanted = true;
        if (direct.state === 'closed') reopen();
        else direct.resume();
      },
      close() {
        isWanted = false;
        giveBack();
        direct.close();
      },
    };
    let direct = open();
    return stream;
  }

  #record(kind: StreamKind, state: StreamState, detail: StateDetail): void {
    const health = new Map(this.health.peek());
    // A stream that the page closed, or that pauses in a hidden tab, is no fault of the connection.
    if (detail.end?.code === CLOSE_NORMAL) health.delete(kind);
    else health.set(kind, nextHealth(health.get(kind), state, detail, Date.now()));
    this.health.value = health;
  }

  #endSession(detail: string): void {
    const { session } = this.#options;
    const code = session.signedIn ? 'invalid_session' : 'invalid_key';
    session.end(new TickwireError({ status: 401, code, detail }));
  }
}
