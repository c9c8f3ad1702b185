// One signal of the feed in a line; on a phone the same cells are a card. Cells that follow the market are written directly.
import type { Signal } from '@tickwire/client';
import { render } from 'preact';
import type { QuoteBoard } from '../services/quote-board.ts';
import { pathOf } from '../ui/address.ts';
import { make, write } from '../ui/dom/elements.ts';
import { price, signOf } from '../ui/format.ts';
import { moment } from '../ui/relative-time.ts';
import { digitsOf, REASONS, sentenceOf } from './labels.ts';
import { LevelBar, moveNeedle } from './level-bar.tsx';
import { entrySide, marketOf, unitOf } from './levels.ts';
import { DirectionLabel, Remarks } from './signal-parts.tsx';
import { type OrderState, progressOf, stateText } from './signal-progress.ts';

export interface RowContext {
  readonly quotes: QuoteBoard;
  readonly orderOf: (id: string) => OrderState | undefined;
}

export type FeedRow = ReturnType<typeof createSignalRow>;

export function createSignalRow(initial: Signal, { quotes, orderOf }: RowContext) {
  const { id, symbol } = initial;
  const element = make('li', 'signal-row');
  const cell = (selector: string): HTMLElement => element.querySelector<HTMLElement>(selector)!;
  render(<Cells signal={initial} digits={digitsOf(initial, quotes)} />, element);
  const open = cell('.signal-open') as HTMLAnchorElement;
  const [bar, way, age] = [cell('.level-bar'), cell('.signal-way'), cell('.signal-age')];
  const [figure, small] = [cell('.signal-result b'), cell('.signal-result small')];
  const state = cell('.signal-state');
  const unit = unitOf(quotes, symbol);
  let signal = initial;

  const showAge = (): void => {
    const now = Date.now();
    write(age, moment(signal.timestamp, now));
    if (signal.status === 'closed') write(way, `${REASONS[signal.close_reason]} · ${moment(signal.closed_at, now)}`);
  };
  const showMarket = (): void => {
    const order = orderOf(id);
    const progress = progressOf(signal, order, marketOf(quotes, symbol), unit);
    moveNeedle(bar, signal, progress);
    write(figure, progress.figure);
    figure.dataset.sign = signOf(progress.figure);
    if (signal.status === 'closed') {
      write(small, progress.detail);
      return;
    }
    write(
      small,
      progress.pending || progress.at === null ? '' : order?.exits.length ? 'partly realised' : 'unrealised',
    );
    write(way, progress.detail);
    write(state, stateText(order));
  };
  const show = (next: Signal): void => {
    signal = next;
    element.dataset.status = signal.status;
    open.setAttribute('aria-label', sentenceOf(signal, digitsOf(signal, quotes), unit));
    showMarket();
    showAge();
    if (signal.status !== 'closed') return;
    state.className = 'signal-state';
    render(
      <>
        <a
          class="verified"
          href={`${pathOf('signals', id)}#evidence`}
          tabIndex={open.tabIndex}
          title={
            signal.close_reason === 'voided'
              ? 'An operator voided it, with a public reason.'
              : 'Judged by the service and recorded in the log with the price that decided it. Open the signal to check its records.'
          }
        >
          {signal.close_reason === 'voided' ? 'reason' : '✓ verified'}
        </a>
        <Remarks of={signal} />
      </>,
      state,
    );
  };
  /** The tab key stops at one row of the list only. */
  const setCurrent = (current: boolean): void => {
    for (const link of element.querySelectorAll('a')) link.tabIndex = current ? 0 : -1;
  };
  /** Whether the market has reached a pending entry, as far as this page can tell. */
  const isAtEntry = (): boolean => {
    const [market, order] = [marketOf(quotes, symbol), orderOf(id)];
    if (!market || order?.entry_price !== null) return false;
    const above = entrySide(signal, market) - signal.entry;
    return (signal.direction === 'buy') === (order.order === 'limit') ? above <= 0 : above >= 0;
  };
  setCurrent(false);
  show(initial);
  /** `open`: the link to the signal, which the arrow keys focus. */
  return { element, id, symbol, open, show, showAge, showMarket, setCurrent, isAtEntry };
}

const LEVELS = [
  ['entry', 'Entry'],
  ['stop_loss', 'Stop'],
  ['take_profit', 'Target'],
] as const;

function Cells({ signal, digits }: { readonly signal: Signal; readonly digits: number }) {
  const { id, direction, symbol, user, timestamp } = signal;
  return (
    <>
      <a class="signal-open clip" href={pathOf('signals', id)}>
        <DirectionLabel of={direction} />
      </a>
      <a class="signal-symbol clip" href={pathOf('markets', symbol)}>
        {symbol}
      </a>
      <a class="signal-publisher clip muted" href={pathOf('publishers', user)}>
        {user}
      </a>
      {LEVELS.map(([name, label]) => (
        <span key={name} class={`signal-level ${label.toLowerCase()}`}>
          <small>{label}</small>
          <span>{price(signal[name], digits)}</span>
        </span>
      ))}
      <span class="signal-live">
        <LevelBar levels={signal} />
        <span class="signal-way clip muted tiny" />
      </span>
      <span class="signal-result">
        <b />
        <small />
      </span>
      <span class="signal-state chip" />
      <time class="signal-age" dateTime={timestamp} />
    </>
  );
}
