// The streams of a tab: one for each symbol of a channel, however many parts of the page, or other tabs, want it and whatever indicators
// they draw. The service has one subscription per topic and connection, so two streams of a topic would need two connections.
import type {
  Gap,
  IndicatorText,
  StateDetail,
  Stream,
  StreamHandlers,
  StreamKind,
  StreamOptions,
  StreamState,
} from '@tickwire/client';

/** The service refused the subscription: an indicator has no values for the symbol. */
export const CLOSE_REFUSED = 4400;
const NOTHING_KNOWN = { fromSeq: null, toSeq: null, dropped: null, since: null, fill: null };
/** Messages may be missing. */
export const UNKNOWN_GAP: Gap = { type: 'gap', reason: 'resume', symbols: ['*'], ...NOTHING_KNOWN };
const SETTLED_MS = 5_000;
/** Of a subscription. */
const MAX_INDICATORS = 20;
const CONNECTED: StateDetail = { end: null, retryInMs: null };
const CLOSED: StateDetail = { ...CONNECTED, end: { code: 1000, reason: 'closed by the page' } };
const REFUSED: StateDetail = { ...CONNECTED, end: { code: CLOSE_REFUSED, reason: 'too many indicators' } };
export const WORST_FIRST: readonly StreamState[] = ['closed', 'connecting', 'stale', 'live'];

/** A stream whose symbols do not change. */
export type PlainStream = Pick<Stream<StreamKind>, 'pause' | 'resume' | 'close'>;
export type OpenPlain = (kind: StreamKind, options: Options, handlers: Handlers) => PlainStream;

/** A part of the page that takes part in streams. */
export type SharedStream = PlainStream & Pick<Stream<StreamKind>, 'state' | 'setSymbols'>;

/** Those of all kinds, as the type of one. */
type Options = StreamOptions<StreamKind> & { readonly indicators?: readonly IndicatorText[] };
type Handlers = StreamHandlers<StreamKind>;

export class SharedStreams {
  readonly #open: OpenPlain;
  readonly #groups = new Map<string, Group>();

  /** `open` opens a stream that nobody else takes part in. */
  constructor(open: OpenPlain) {
    this.#open = open;
  }

  open(kind: StreamKind, options: Options, handlers: Handlers): SharedStream {
    const { symbols, indicators = [], ...rest } = options;
    const member = new Member(indicators, handlers);
    const join = (wanted: readonly string[] | undefined): void => {
      const before = member.groups;
      member.groups = (wanted ?? [undefined]).map((symbol) => this.#group(kind, rest, symbol));
      for (const group of before) if (!member.groups.includes(group)) group.leave(member);
      for (const group of member.groups) if (!before.includes(group)) group.join(member);
      this.#forget();
    };
    join(symbols);
    return {
      get state() {
        return member.state;
      },
      setSymbols: (next) => {
        if (!member.isOut) join(next);
      },
      pause: () => member.pause(),
      resume: () => member.resume(),
      close: () => {
        if (member.isOut) return;
        member.isOut = true;
        for (const group of member.groups) group.leave(member);
        this.#forget();
        handlers.onState?.('closed', CLOSED);
      },
    };
  }

  #group(kind: StreamKind, rest: Options, symbol: string | undefined): Group {
    const key = JSON.stringify([kind, rest, symbol]);
    const group =
      this.#groups.get(key) ??
      new Group((indicators, handlers) => {
        const options = { ...rest, ...(symbol !== undefined && { symbols: [symbol] }) };
        return this.#open(kind, { ...options, ...(indicators.length > 0 && { indicators }) }, handlers);
      });
    this.#groups.set(key, group);
    return group;
  }

  #forget(): void {
    for (const [key, group] of this.#groups) if (group.isEmpty) this.#groups.delete(key);
  }
}

class Member {
  readonly indicators: readonly IndicatorText[];
  readonly handlers: Handlers;
  groups: readonly Group[] = [];
  /** Closed, or refused. */
  isOut = false;
  isPaused = false;

  constructor(indicators: readonly IndicatorText[], handlers: Handlers) {
    this.indicators = indicators;
    this.handlers = handlers;
  }

  /** The worst of its streams. */
  get state(): StreamState {
    if (this.isOut) return 'closed';
    if (this.isPaused) return 'stale';
    return WORST_FIRST.find((state) => this.groups.some((group) => group.state === state)) ?? 'live';
  }

  pause(): void {
    if (this.isOut || this.isPaused) return;
    this.isPaused = true;
    for (const group of this.groups) group.update();
    this.handlers.onState?.('stale', CLOSED);
  }

  resume(): void {
    if (this.isOut || !this.isPaused) return;
    this.isPaused = false;
    for (const group of this.groups) group.resumed(this);
  }

  /** Its stream has ended, or was refused. A member with other symbols goes on with them. */
  end(group: Group, detail: StateDetail): void {
    const others = this.groups.filter((each) => each !== group);
    if (others.length > 0 && detail.end?.code === CLOSE_REFUSED) this.groups = others;
    else {
      this.isOut = true;
      for (const other of others) other.leave(this);
      this.handlers.onState?.('closed', detail);
    }
  }
}

/** The stream of one symbol, with the indicators of all members. */
class Group {
  state: StreamState = 'closed';
  readonly #open: (indicators: readonly IndicatorText[], handlers: Handlers) => PlainStream;
  readonly #members = new Set<Member>();
  #stream: PlainStream | null = null;
  #streamed = '';
  #isPaused = false;
  /** Number of streams that were opened: events of an earlier one are ignored. */
  #opened = 0;
  #openedAt = 0;

  constructor(open: (indicators: readonly IndicatorText[], handlers: Handlers) => PlainStream) {
    this.#open = open;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  join(member: Member): void {
    this.#members.add(member);
    if (this.#indicators().length > MAX_INDICATORS) {
      this.#members.delete(member);
      member.end(this, REFUSED);
    } else if (!this.update(member)) member.handlers.onState?.(member.state, CONNECTED);
  }

  leave(member: Member): void {
    this.#members.delete(member);
    this.update();
  }

  /** A member that was paused takes part again. */
  resumed(member: Member): void {
    if (this.update()) return;
    // The stream went on for others.
    member.handlers.onState?.(member.state, CONNECTED);
    member.handlers.onGap?.(UNKNOWN_GAP);
  }

  /** Streams what the members want. False if nothing had to be changed. `joined`: a member that has missed nothing. */
  update(joined?: Member): boolean {
    const active = this.#active();
    const isOpen = this.#stream !== null && this.state !== 'closed';
    if (isOpen && active.length === 0 && !this.isEmpty) {
      // Resumed later, so that nothing is missed.
      this.#isPaused = true;
      this.#stream?.pause();
      return true;
    }
    const indicators = this.#indicators();
    const wanted = indicators.join(' ');
    if (isOpen && wanted === this.#streamed && !this.isEmpty) {
      const wasPaused = this.#isPaused;
      this.#isPaused = false;
      if (wasPaused) this.#stream?.resume();
      return wasPaused;
    }
    const opened = ++this.#opened;
    this.#stream?.close();
    this.#stream = null;
    this.#isPaused = false;
    if (active.length === 0) return true;
    this.#streamed = wanted;
    this.state = 'connecting';
    const tell =
      <Values extends readonly unknown[]>(pick: (handlers: Handlers) => ((...values: Values) => void) | undefined) =>
      (...values: Values): void => {
        if (opened === this.#opened) for (const { handlers } of this.#active()) pick(handlers)?.(...values);
      };
    this.#stream = this.#open(indicators, {
      onMessage: tell(({ onMessage }) => onMessage),
      onGap: tell(({ onGap }) => onGap),
      onRejected: tell(({ onRejected }) => onRejected),
      onNotice: tell(({ onNotice }) => onNotice),
      onState: (state, detail) => {
        if (opened !== this.#opened) return;
        this.state = state;
        if (state === 'closed') this.#ended(detail, indicators.length > 0);
        else for (const member of this.#active()) member.handlers.onState?.(member.state, detail);
      },
    });
    // With other indicators, a stream begins again without a position. What a page has just opened is still loading.
    const wasOpenMs = performance.now() - this.#openedAt;
    this.#openedAt = performance.now();
    if (isOpen && wasOpenMs > SETTLED_MS)
      for (const member of active) if (member !== joined) member.handlers.onGap?.(UNKNOWN_GAP);
    return true;
  }

  #active(): Member[] {
    return [...this.#members].filter(({ isPaused }) => !isPaused);
  }

  /** Also those of members that are paused, so that the stream stays the same when they resume. */
  #indicators(): IndicatorText[] {
    return [...new Set([...this.#members].flatMap((member) => member.indicators))].sort();
  }

  /** If indicators were refused, the members without any go on. */
  #ended(detail: StateDetail, hadIndicators: boolean): void {
    const areRefused = hadIndicators && detail.end?.code === CLOSE_REFUSED;
    for (const member of [...this.#members]) {
      if (areRefused && member.indicators.length === 0) continue;
      this.#members.delete(member);
      member.end(this, detail);
    }
    this.update();
  }
}
