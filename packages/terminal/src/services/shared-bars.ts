// Live bars of this tab: one stream per symbol and timeframe, whatever charts show it and whatever indicators they draw. The service
// has one set of indicators per symbol, timeframe and connection, so two streams would need two connections.
import type { IndicatorText, Stream, StreamHandlers, StreamOptions, StreamState } from '@tickwire/client';

/** The service refused the subscription: an indicator has no values for the symbol. */
const CLOSE_REFUSED = 4400;

export type BarStream = Pick<Stream<'bars'>, 'state' | 'setSymbols' | 'close'>;

/** Opens the bars of one symbol. */
export type OpenBars = (options: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => BarStream;

export class SharedBars {
  readonly #open: OpenBars;
  readonly #groups = new Map<string, Group>();

  /** `open` opens a stream of its own. */
  constructor(open: OpenBars) {
    this.#open = open;
  }

  readonly open: OpenBars = ({ symbols = [], timeframe, indicators = [] }, handlers) => {
    const groupOf = (symbol: string | undefined): Group => {
      const key = `${timeframe} ${symbol}`;
      const group =
        this.#groups.get(key) ?? new Group({ symbols: symbol === undefined ? [] : [symbol], timeframe }, this.#open);
      this.#groups.set(key, group);
      return group;
    };
    const leave = (): void => {
      group.leave(member);
      for (const [key, each] of this.#groups) if (each.isEmpty) this.#groups.delete(key);
    };
    const member: Member = { indicators, handlers, isOut: false };
    let group = groupOf(symbols[0]);
    group.join(member);
    return {
      get state() {
        return member.isOut ? 'closed' : group.state;
      },
      setSymbols([symbol]) {
        if (member.isOut) return;
        leave();
        group = groupOf(symbol);
        group.join(member);
      },
      close() {
        if (member.isOut) return;
        member.isOut = true;
        leave();
      },
    };
  };
}

interface Member {
  readonly indicators: readonly IndicatorText[];
  readonly handlers: StreamHandlers<'bars'>;
  /** Closed, or refused. */
  isOut: boolean;
}

/** The stream of a symbol and a timeframe, with the indicators of all members. */
class Group {
  state: StreamState = 'closed';
  readonly #topic: StreamOptions<'bars'>;
  readonly #open: OpenBars;
  readonly #members = new Set<Member>();
  #stream: BarStream | null = null;
  #streamed = '';
  /** Number of streams that were opened: events of an earlier one are ignored. */
  #opened = 0;

  constructor(topic: StreamOptions<'bars'>, open: OpenBars) {
    this.#topic = topic;
    this.#open = open;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  join(member: Member): void {
    this.#members.add(member);
    if (!this.#update()) member.handlers.onState?.(this.state, { end: null, retryInMs: null });
  }

  leave(member: Member): void {
    this.#members.delete(member);
    this.#update();
  }

  /** Streams what the members want. False if that is streamed already. */
  #update(): boolean {
    const indicators = [...new Set([...this.#members].flatMap((member) => member.indicators))].sort();
    const wanted = indicators.join(' ');
    if (this.#stream && this.state !== 'closed' && wanted === this.#streamed && !this.isEmpty) return false;
    const opened = ++this.#opened;
    const isCurrent = (): boolean => opened === this.#opened;
    this.#stream?.close();
    this.#stream = null;
    if (this.isEmpty) return true;
    this.#streamed = wanted;
    this.state = 'connecting';
    this.#stream = this.#open(
      { ...this.#topic, ...(indicators.length > 0 && { indicators }) },
      {
        onMessage: (bar) => isCurrent() && this.#tell(({ onMessage }) => onMessage(bar)),
        onGap: (gap) => isCurrent() && this.#tell(({ onGap }) => onGap?.(gap)),
        onState: (state, detail) => {
          if (!isCurrent()) return;
          this.state = state;
          if (state === 'closed' && detail.end?.code === CLOSE_REFUSED && indicators.length > 0)
            this.#withoutIndicators();
          else this.#tell(({ onState }) => onState?.(state, detail));
        },
      },
    );
    return true;
  }

  /** The other members go on without those that want indicators. */
  #withoutIndicators(): void {
    const refused = [...this.#members].filter(({ indicators }) => indicators.length > 0);
    for (const member of refused) {
      member.isOut = true;
      this.#members.delete(member);
      member.handlers.onState?.('closed', { end: null, retryInMs: null });
    }
    this.#update();
  }

  #tell(each: (handlers: StreamHandlers<'bars'>) => void): void {
    for (const { handlers } of [...this.#members]) each(handlers);
  }
}
