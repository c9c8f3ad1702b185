// One signal of the feed in a line: what it is, where it stands, what became of it. On a phone the same cells make a card.
import type { Signal } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, link, make, write } from '../elements.ts';
import { price, signOf } from '../format.ts';
import { moment } from '../moments.ts';
import type { QuoteBoard } from '../quote-board.ts';
import { LevelBar } from './level-bar.ts';
import { distancesOf, entrySide, exitSide, runningR, toEntry } from './levels.ts';
import type { OrderState } from './order-states.ts';
import type { WindowRow } from './row-window.ts';
import { digitsOf, directionMark, inPips, inR, REASONS, sentenceOf, signedFigure, signedPips } from './words.ts';

export interface RowContext {
  readonly board: QuoteBoard;
  readonly orderOf: (id: string) => OrderState | undefined;
}

export class SignalRow implements WindowRow<Signal> {
  readonly element = make('div', 'signal-row');
  /** What the arrows go to. */
  readonly open: HTMLAnchorElement;
  readonly #others: readonly HTMLAnchorElement[];
  readonly #context: RowContext;
  readonly #bar: LevelBar;
  readonly #state = make('span', 'signal-state');
  readonly #way = make('span', 'signal-way');
  readonly #result = make('span', 'signal-result');
  readonly #age = make('time', 'signal-age');
  #signal: Signal;

  constructor(signal: Signal, context: RowContext) {
    this.#signal = signal;
    this.#context = context;
    const { id, direction, symbol, user, entry, stop_loss, take_profit, timestamp } = signal;
    const digits = digitsOf(signal, context.board);
    this.open = link('', pathOf('signals', id), 'signal-open');
    this.open.append(directionMark(direction));
    const market = link(symbol, pathOf('markets', symbol), 'signal-symbol');
    const publisher = link(user, pathOf('publishers', user), 'signal-publisher');
    this.#others = [market, publisher];
    this.#bar = new LevelBar(signal);
    this.#age.dateTime = timestamp;
    this.element.setAttribute('role', 'listitem');
    this.element.append(
      this.open,
      market,
      publisher,
      level('Entry', entry, digits),
      level('Stop', stop_loss, digits),
      level('Target', take_profit, digits),
      box('span', 'signal-live', this.#bar.element, this.#way),
      this.#result,
      this.#state,
      this.#age,
    );
    this.current(false);
    this.show(signal);
  }

  get symbol(): string {
    return this.#signal.symbol;
  }

  get id(): string {
    return this.#signal.id;
  }

  /** Only one row of the list is in the way of the tab key. */
  current(current: boolean): void {
    this.open.tabIndex = current ? 0 : -1;
    for (const other of this.#others) other.tabIndex = current ? 0 : -1;
  }

  show(signal: Signal): void {
    this.#signal = signal;
    this.element.dataset.status = signal.status;
    this.open.setAttribute('aria-label', sentenceOf(signal, digitsOf(signal, this.#context.board)));
    if (signal.status === 'closed') this.#showClosed();
    else this.showMarket();
    this.showAge();
  }

  showAge(): void {
    const now = Date.now();
    write(this.#age, moment(this.#signal.timestamp, now));
    if (this.#signal.status !== 'closed') return;
    const { close_reason, closed_at } = this.#signal;
    write(this.#way, `${REASONS[close_reason]} · ${moment(closed_at, now)}`);
  }

  /** Whether a waiting entry is met by the market, by what can be seen from here. */
  get met(): boolean {
    const row = this.#context.board.row(this.symbol);
    const order = this.#context.orderOf(this.id);
    if (!row || row.bid === null || row.ask === null || !order || order.entryPrice !== null) return false;
    const side = entrySide(this.#signal, { bid: row.bid, ask: row.ask });
    const below = (this.#signal.direction === 'buy') === (order.order === 'limit');
    return below ? side <= this.#signal.entry : side >= this.#signal.entry;
  }

  showMarket(): void {
    if (this.#signal.status === 'closed') return;
    const row = this.#context.board.row(this.symbol);
    const order = this.#context.orderOf(this.id);
    write(this.#state, order === undefined ? '' : order.entryPrice === null ? `pending ${order.order}` : 'filled');
    this.#state.className = order?.entryPrice === null ? 'signal-state chip' : 'signal-state chip plain-chip';
    if (!row || row.bid === null || row.ask === null) {
      write(this.#way, 'no price yet');
      return;
    }
    const market = { bid: row.bid, ask: row.ask };
    const { pip_size } = row.instrument;
    if (order?.entryPrice === null) {
      this.#bar.show(entrySide(this.#signal, market), true);
      write(this.#way, `${inPips(toEntry(this.#signal, market, pip_size))} pips to entry`);
      this.#figure('waits', 'none', '');
      return;
    }
    const at = exitSide(this.#signal, market);
    const { toStop, toTarget } = distancesOf(this.#signal, at, pip_size);
    this.#bar.show(at);
    write(this.#way, `${inPips(toStop)} pips to stop · ${inPips(toTarget)} to target`);
    const running = order === undefined ? null : runningR(this.#signal, order.entryPrice, at);
    const text = inR(running);
    this.#figure(text, signOf(text), 'running');
  }

  #showClosed(): void {
    const signal = this.#signal;
    if (signal.status !== 'closed') return;
    const { pnl, pnl_r, pnl_percent, exit_price, close_reason } = signal;
    this.#bar.show(exit_price);
    const pips = `${signedPips(pnl)} pips`;
    const percent = signedFigure(pnl_percent, 2);
    if (close_reason === 'unfilled') this.#figure('no result', 'none', '');
    else this.#figure(inR(pnl_r), signOf(signedFigure(pnl_r, 2)), `${pips} · ${percent} %`);
    const verified = link('✓ verified', `${pathOf('signals', signal.id)}#evidence`, 'verified');
    verified.tabIndex = this.open.tabIndex;
    verified.title = 'Recorded in the log with the price that decided it. Open it to check it in this browser.';
    this.#state.className = 'signal-state';
    this.#state.replaceChildren(verified, ...remarks(signal));
  }

  #figure(text: string, sign: string, below: string): void {
    const [main, small] = this.#result.children;
    if (!(main instanceof HTMLElement) || !small) {
      this.#result.replaceChildren(make('b', '', text), make('small', '', below));
      (this.#result.firstElementChild as HTMLElement).dataset.sign = sign;
      return;
    }
    write(main, text);
    main.dataset.sign = sign;
    write(small, below);
  }
}

/** What keeps a result out of the ranking. */
export function remarks(signal: Signal): HTMLElement[] {
  if (signal.status !== 'closed') return [];
  const made: HTMLElement[] = [];
  if (signal.self_sourced)
    made.push(remark('self-sourced', 'Decided by prices that its own publisher pushed: not ranked.'));
  if (signal.gap_from !== undefined)
    made.push(remark('gap', 'For a part of its life there were no prices: not ranked.'));
  if (signal.pnl_best !== undefined)
    made.push(remark('worst case', 'Only a bar could decide: the worst case is counted.'));
  return made;
}

function remark(text: string, title: string): HTMLElement {
  const made = make('span', 'chip caution', text);
  made.title = title;
  return made;
}

function level(name: string, value: number, digits: number): HTMLElement {
  return box(
    'span',
    `signal-level ${name.toLowerCase()}`,
    make('small', '', name),
    make('span', '', price(value, digits)),
  );
}
