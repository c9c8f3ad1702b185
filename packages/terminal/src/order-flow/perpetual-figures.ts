// Mark price, funding and open interest of the selected perpetual, beside its prices. The stream starts with the current figures, and
// repeats them every ten seconds at the latest.
import type { MessageOf } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { make } from '../ui/dom/elements.ts';
import { duration, NO_VALUE, price, signedFigure, volume } from '../ui/format.ts';

type Figures = Extract<MessageOf<'perpetual'>, { type: 'figures' }>;

/** Fills a list, until the signal is aborted. */
export function showPerpetual(
  list: HTMLElement,
  { quotes, streams }: Pick<TerminalServices, 'quotes' | 'streams'>,
  symbol: string,
  signal: AbortSignal,
): void {
  const show = (figures: Figures | null): void => {
    const texts = perpetualTexts(figures, quotes.row(symbol)!.digits);
    // Once a second: new elements cost little.
    list.replaceChildren(...texts.map(([title, text]) => make('div', {}, make('dt', {}, title), make('dd', {}, text))));
  };
  const onMessage = (message: MessageOf<'perpetual'>): void => {
    if (message.type === 'figures') show(message);
  };
  streams.open('perpetual', { symbols: [symbol] }, { onMessage }, signal);
  show(null);
}

export function perpetualTexts(figures: Figures | null, digits: number, now = Date.now()): readonly [string, string][] {
  const { mark_price = null, funding_rate: rate, funding_interval_hours: hours, open_interest: open } = figures ?? {};
  const left = (figures?.next_funding_time ?? 0) - now / 1_000;
  const funding = rate == null ? NO_VALUE : `${signedFigure(rate * 100, 4)}%`;
  return [
    ['Mark', price(mark_price, digits)],
    [hours ? `Funding ${hours}h` : 'Funding', left > 0 ? `${funding} in ${duration(left)}` : funding],
    ['Open interest', open == null ? NO_VALUE : volume(open)],
  ];
}
