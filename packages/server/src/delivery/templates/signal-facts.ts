// Facts of a signal, as on `/ws/signals`: its levels when it was published, its fill, or its verified result.
import type { MessageLocale } from '../channel.ts';
import { type Fact, formatNumber } from './format.ts';

/** Words for the reasons of a closing. */
export const CLOSE_RESULTS: Readonly<Record<string, string>> = {
  take_profit: 'target hit',
  stop_loss: 'stopped out',
  manual: 'closed by the publisher',
  expired: 'expired',
  unfilled: 'not filled',
  voided: 'voided by an operator',
};

export function signalFacts(signal: unknown, locale: MessageLocale, digits: number | undefined): Fact[] {
  if (typeof signal !== 'object' || signal === null) return [];
  const given = signal as Readonly<Record<string, unknown>>;
  const price = (value: unknown): string => (typeof value === 'number' ? formatNumber(value, locale, { digits }) : '');
  const signed = (value: unknown, decimals: number, unit: string): string =>
    typeof value === 'number' ? `${formatNumber(value, locale, { digits: decimals, signed: true })} ${unit}` : '';
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const order: Fact[] = [
    ['Publisher', text(given.user)],
    ['Order', [text(given.direction), text(given.symbol)].filter(Boolean).join(' ')],
  ];
  if (given.status === 'closed') {
    const reason = text(given.close_reason);
    const filled = typeof given.entry_price === 'number';
    const profit = [signed(given.pnl, 1, 'pips'), signed(given.pnl_percent, 2, '%'), signed(given.pnl_r, 2, 'R')];
    return [
      ...order,
      ['Result', CLOSE_RESULTS[reason] ?? reason],
      ['Entry', price(given.entry_price)],
      ['Exit', price(given.exit_price)],
      ['Verified PnL', filled ? profit.filter(Boolean).join(', ') : ''],
    ];
  }
  const levels: Fact[] = [
    ['Stop loss', price(given.stop_loss)],
    ['Take profit', price(given.take_profit)],
  ];
  if (typeof given.filled_at === 'string') return [...order, ['Filled at', price(given.entry_price)], ...levels];
  return [...order, ['Entry', price(given.entry)], ...levels];
}
