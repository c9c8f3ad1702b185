// A subscription that outlives its connections: on each new one it asks for what it wants from where it was, and tells what
// is missing where that cannot be had.
import type { Request } from './batches.ts';
import { errorOf } from './close-codes.ts';
import { Continuity, type Placed } from './continuity.ts';
import type { ErrorCode, GapNotice, Notice } from './contract.ts';
import { type Gap, gapOf, unknownGap } from './gap.ts';
import { Link, type StateDetail, type StreamState } from './link.ts';
import type { SocketConstructor } from './socket.ts';
import { distinct, type StreamOptions, type Terms, termsOf } from './terms.ts';
import { TickwireError } from './tickwire-error.ts';
import type { Timing } from './timing.ts';
import type { MessageOf, StreamKind } from './wire.ts';

export interface StreamHandlers<K extends StreamKind> {
  readonly onMessage: (message: MessageOf<K>) => void;
  /** Something is missing, or may be. Where this is not called, nothing is. */
  readonly onGap?: (gap: Gap) => void;
  /** Answers and notices of the service, pongs left out. */
  readonly onNotice?: (notice: Notice) => void;
  readonly onState?: (state: StreamState, detail: StateDetail) => void;
}

export interface StreamSetup {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly WebSocket: SocketConstructor;
  readonly timing: Timing;
}

/** A heartbeat may be this late. */
const GRACE_MS = 1_000;

export class Stream<K extends StreamKind> {
  readonly #kind: K;
  readonly #apiKey: string | undefined;
  readonly #handlers: StreamHandlers<K>;
  readonly #terms: Terms;
  readonly #link: Link;
  /** null where the stream cannot go on where it was. */
  readonly #continuity: Continuity | null;
  #symbols: readonly string[];
  #begun = false;
  /** Whether the service has answered on this connection. */
  #answered = false;
  #refusal: { readonly code: ErrorCode; readonly message: string } | null = null;

  constructor(setup: StreamSetup, kind: K, options: StreamOptions<K>, handlers: StreamHandlers<K>) {
    const terms = termsOf(kind, options);
    this.#kind = kind;
    this.#apiKey = setup.apiKey;
    this.#handlers = handlers;
    this.#terms = terms;
    this.#symbols = terms.symbols;
    this.#continuity = terms.resumes ? new Continuity(kind !== 'news', (gap) => handlers.onGap?.(gap)) : null;
    const silenceMs = terms.heartbeatSeconds * 1_000 + GRACE_MS;
    this.#link = new Link(
      { ...setup, silenceMs },
      {
        onOpen: () => this.#subscribe(),
        onMessage: (message) => this.#receive(message),
        onRefused: ({ code, reason }) => {
          this.#refusal ??= { code: errorOf(code), message: reason };
        },
        onState: (state, detail) => handlers.onState?.(state, detail),
      },
    );
    this.#link.open();
  }

  get state(): StreamState {
    return this.#link.state;
  }

  get symbols(): readonly string[] {
    return this.#symbols;
  }

  /** Why the service ended the stream for good; null where it did not. */
  get error(): TickwireError | null {
    if (!this.#refusal || this.state !== 'closed') return null;
    return new TickwireError({ status: 0, code: this.#refusal.code, detail: this.#refusal.message });
  }

  /** Changes what is subscribed, on the open connection where there is one. */
  setSymbols(symbols: readonly string[]): void {
    const next = distinct(this.#kind, symbols);
    const before = this.#symbols;
    this.#symbols = next;
    if (!this.#begun) return;
    const removed = before.filter((symbol) => !next.includes(symbol));
    // "*" has no members to take out one by one.
    const afresh = before.includes('*') && removed.length > 0;
    const added = afresh ? next : next.filter((symbol) => !before.includes(symbol));
    if (afresh) this.#continuity?.clear();
    else this.#continuity?.remove(removed);
    const requests = this.#requests(added);
    const { flags } = this.#terms;
    const { channel, timeframe } = flags;
    if (removed.length > 0)
      this.#link.send({ action: 'unsubscribe', ...(afresh ? {} : { symbols: removed }), channel, timeframe });
    for (const request of requests) this.#link.send({ action: 'subscribe', ...request, ...flags });
  }

  close(): void {
    if (this.state === 'closed') return;
    this.#refusal = null;
    this.#link.close({ code: 1000, reason: 'closed by the client' });
  }

  /** Lets go of the connection until `release`: what can be resumed can be left. */
  hold(): void {
    this.#link.hold();
  }

  release(): void {
    this.#link.open();
  }

  #subscribe(): void {
    const { flags, heartbeatSeconds: heartbeat, fill } = this.#terms;
    const first = !this.#begun;
    this.#begun = true;
    this.#answered = false;
    // What was refused on an earlier connection does not say why this one ends.
    this.#refusal = null;
    if (!first && !this.#continuity) this.#handlers.onGap?.({ ...unknownGap('resume', this.#symbols, null), fill });
    const requests = first || !this.#continuity ? this.#requests(this.#symbols) : this.#continuity.comeBack();
    const key = this.#apiKey === undefined ? {} : { api_key: this.#apiKey };
    for (const [at, request] of requests.entries())
      this.#link.send({ action: 'subscribe', ...request, ...(at === 0 && { heartbeat, ...key }), ...flags });
  }

  #requests(symbols: readonly string[]): Request[] {
    if (symbols.length === 0) return [];
    return this.#continuity?.add(symbols) ?? [{ symbols }];
  }

  #receive(message: object): void {
    if ('event' in message) this.#hear(message as Notice);
    else {
      this.#link.accepted();
      if (this.#continuity?.take(message as Placed) ?? true)
        this.#handlers.onMessage((this.#terms.showsSeq ? message : withoutPlace(message)) as MessageOf<K>);
    }
  }

  #hear(notice: Notice): void {
    if (notice.event === 'pong') return;
    const asking = this.state === 'connecting';
    this.#account(notice);
    this.#handlers.onNotice?.(notice);
    const refused = refusalIn(notice, asking, this.#symbols.length);
    if (!refused) {
      // Live from where nothing can be lost any more: the stream is subscribed, and knows where it is.
      if (notice.event !== 'error' && this.#answered && (this.#continuity?.placed ?? true)) this.#link.accepted();
      return;
    }
    this.#refusal = refused;
    // A fatal error brings its own close code.
    if (notice.event !== 'error' || !notice.fatal) this.#link.close({ code: 4400, reason: refused.message });
  }

  #gap(notice: GapNotice): void {
    if (this.#continuity) this.#continuity.declared(notice);
    else this.#handlers.onGap?.(gapOf(notice, null));
  }

  /** What the notice means for what has been seen. */
  #account(notice: Notice): void {
    const continuity = this.#continuity;
    if (notice.event === 'subscribed') {
      this.#answered = true;
      continuity?.subscribed(notice);
    } else if (notice.event === 'slow') continuity?.slow();
    else if (notice.event === 'gap') this.#gap(notice);
    else if (notice.event === 'heartbeat') continuity?.heartbeat(notice);
    else if (notice.event === 'error' && notice.resume_from) continuity?.stands(notice.resume_from);
  }
}

/** What was refused for what it is: it would be refused for ever. */
function refusalIn(notice: Notice, asking: boolean, wanted: number): { code: ErrorCode; message: string } | null {
  if (notice.event === 'error') return notice.fatal || (asking && !notice.retryable) ? notice : null;
  if (notice.event !== 'subscribed' || notice.symbols.length > 0 || notice.bars) return null;
  const [first] = notice.rejected;
  if (!first || notice.rejected.length < wanted) return null;
  const message = `Nothing could be subscribed: ${notice.rejected.map(({ symbol }) => symbol).join(', ')}`;
  return { code: first.code, message };
}

/** Without what the caller did not ask for. */
function withoutPlace(message: object): object {
  const { seq: _seq, prev: _prev, epoch: _epoch, ...rest } = message as Placed;
  return rest;
}
