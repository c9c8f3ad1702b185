// The selected instrument in large figures, with how old they are: an old price looks like a new one unless it says so.
import { LIVE_WITHIN_MS, SILENT_AFTER_MS, tickAge } from './ages.ts';
import { box, make, write } from './elements.ts';
import { NOTHING, percent, pipParts, pips, price, signOf } from './format.ts';
import { preferences } from './preferences.ts';
import { dayChange, type Row } from './quote-board.ts';
import type { Workspace } from './workspace.ts';

const AGE_EVERY_MS = 1_000;
/** A silent market is asked about this often: is it closed, or is something wrong. */
const HOURS_EVERY_MS = 60_000;
/** Of it; two whole minutes are needed to tell. */
const HOURS_LOOK_BACK_MS = 4 * 60_000;

type MarketState = 'open' | 'closed' | 'silent' | 'unknown';
const STATES: Readonly<Record<MarketState, string>> = {
  open: 'open',
  closed: 'closed',
  silent: 'open, no ticks',
  unknown: '',
};

export class InstrumentHead {
  readonly element = make('header', 'head panel');
  readonly #workspace: Workspace;
  readonly #signal: AbortSignal;
  readonly #symbol = make('h1', '');
  readonly #name = make('span', '');
  readonly #market = make('span', 'market-state');
  readonly #age = make('span', 'age');
  readonly #source = make('span', 'source');
  readonly #bid = make('dd', '');
  readonly #ask = make('dd', '');
  readonly #spread = make('dd', '');
  readonly #change = make('dd', '');
  readonly #high = make('dd', '');
  readonly #low = make('dd', '');
  #last: Row | null = null;
  /** What the service said about the hours of the instrument, and when it was asked. */
  #closed: { readonly symbol: string; readonly askedAt: number; readonly closed: boolean | null } | null = null;

  constructor(workspace: Workspace, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#signal = signal;
    const facts = box('p', 'head-facts', this.#market, this.#age, this.#source);
    const title = box('div', 'title', box('div', 'names', this.#symbol, this.#name), facts);
    const prices = box('dl', 'prices', pair('Bid', this.#bid, 'side'), pair('Ask', this.#ask, 'side'));
    prices.append(pair('Spread', this.#spread), pair('Day', this.#change));
    prices.append(pair('High', this.#high, 'range'), pair('Low', this.#low, 'range'));
    this.element.append(title, prices);
    const ticking = setInterval(() => this.#showAge(), AGE_EVERY_MS);
    signal.addEventListener('abort', () => clearInterval(ticking));
    preferences.onChange(signal, () => this.#last && this.show(this.#last));
  }

  show(row: Row): void {
    const { instrument, digits, day } = row;
    const before = this.#last?.instrument === instrument ? this.#last : null;
    this.#last = row;
    write(this.#symbol, instrument.symbol);
    write(this.#name, instrument.name);
    putPrice(this.#bid, row.bid, before?.bid ?? null, digits, instrument.pip_size);
    putPrice(this.#ask, row.ask, before?.ask ?? null, digits, instrument.pip_size);
    write(this.#spread, row.spread === null ? NOTHING : `${pips(row.spread, instrument.pip_size)} pips`);
    const change = percent(dayChange(row));
    write(this.#change, change);
    this.#change.dataset.sign = signOf(change);
    write(this.#high, price(day?.high ?? null, digits));
    write(this.#low, price(day?.low ?? null, digits));
    if (!before) this.#showAge();
  }

  #showAge(): void {
    if (!this.#last) return;
    const { symbol } = this.#last.instrument;
    // From the board, as nothing is shown in the background, where the tab is all that is seen.
    const { bid, digits } = this.#workspace.board.row(symbol) ?? this.#last;
    document.title = bid === null ? 'Tickwire' : `${symbol} ${price(bid, digits)} · Tickwire`;
    if (document.hidden) return;
    const ageMs = this.#workspace.board.ageMs(symbol);
    write(this.#age, tickAge(ageMs));
    write(this.#source, this.#workspace.status.isSimulated ? 'simulated' : '');
    this.#age.dataset.old = String(ageMs === null || ageMs >= LIVE_WITHIN_MS);
    const state = this.#stateOf(symbol, ageMs);
    write(this.#market, STATES[state]);
    this.#market.dataset.state = state;
  }

  /** A market that ticks is open. One that does not is asked about, now and then. */
  #stateOf(symbol: string, ageMs: number | null): MarketState {
    // Of a market that cannot be heard nothing is known.
    if (!this.#workspace.status.pricesLive) return 'unknown';
    if (ageMs !== null && ageMs < SILENT_AFTER_MS) return 'open';
    const known = this.#closed?.symbol === symbol ? this.#closed : null;
    if (!known || Date.now() - known.askedAt > HOURS_EVERY_MS) void this.#askHours(symbol);
    if (!known || known.closed === null) return 'unknown';
    return known.closed ? 'closed' : 'silent';
  }

  async #askHours(symbol: string): Promise<void> {
    const askedAt = Date.now();
    const before = this.#closed?.symbol === symbol ? this.#closed.closed : null;
    this.#closed = { symbol, askedAt, closed: before };
    const options = { timeframe: '1m', from: new Date(askedAt - HOURS_LOOK_BACK_MS).toISOString() } as const;
    try {
      const { absent, to } = await this.#workspace.client.coverage(symbol, options, { signal: this.#signal });
      if (this.#closed.symbol !== symbol) return;
      const last = absent.at(-1);
      this.#closed = { symbol, askedAt, closed: last?.to === to && last.reason === 'market_closed' };
    } catch {
      // The age stands beside it, and says enough; it is asked again in a minute.
    }
  }
}

function pair(title: string, value: HTMLElement, className = ''): HTMLElement {
  return box('div', className, make('dt', '', title), value);
}

/** Coloured by the last move, with a mark for who sees no colours, and the two figures that move set larger. */
function putPrice(target: HTMLElement, value: number | null, before: number | null, digits: number, pipSize: number) {
  if (before === null) target.dataset.sign = 'none';
  if (value === null) {
    write(target, NOTHING);
    return;
  }
  if (before !== null && value !== before) target.dataset.sign = value > before ? 'up' : 'down';
  const [head, moving, tail] = pipParts(value, digits, pipSize);
  if (target.textContent === head + moving + tail) return;
  if (moving === '') target.replaceChildren(head);
  else target.replaceChildren(head, make('b', '', moving), make('small', '', tail));
}
