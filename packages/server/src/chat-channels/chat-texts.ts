// What the bot writes: previews, answers, and the events of a signal. It is plain text without data of the account.
import type {
  ChatMode,
  ClosedRecord,
  ExitedRecord,
  FilledRecord,
  PublishedSignal,
  SignalDraft,
} from '@tickwire/contract';
import { CLOSE_RESULTS } from '../delivery/templates/signal-facts.ts';

/** At most so many code points of a text. */
export const firstPoints = (text: string, limit: number): string => Array.from(text).slice(0, limit).join('');

export interface Levels {
  readonly symbol: string;
  readonly direction: string;
  /** Left out of the draft of a market order. */
  readonly entry?: number | undefined;
  readonly order?: string | undefined;
  readonly stop_loss: number;
  readonly take_profit: number;
  readonly targets?: readonly { readonly price: number }[] | undefined;
}

/** `EURUSD buy 1.085, stop 1.08, target 1.09`. */
export function levelsText({ symbol, direction, entry, order, stop_loss, take_profit, targets }: Levels): string {
  const prices = targets?.map(({ price }) => price) ?? [take_profit];
  const at = order === 'market' ? 'at the market' : entry;
  return `${symbol} ${direction} ${at}, stop ${stop_loss}, ${prices.length > 1 ? 'targets' : 'target'} ${prices.join(' · ')}`;
}

export const previewText = (draft: SignalDraft): string =>
  [levelsText(draft), ...draft.notes, 'Publish this signal? It cannot be edited or deleted afterwards.'].join('\n\n');

/** `link`: address of the signal, or its id. */
export const publishedText = ({ id }: Pick<PublishedSignal, 'id'>, linkOf: (id: string) => string): string =>
  `Published: ${linkOf(id)}`;

const price = (value: number, digits: number): string => value.toFixed(digits);

export const filledText = ({ entry_price }: FilledRecord, digits: number): string =>
  `Filled at ${price(entry_price, digits)}`;

export const exitedText = ({ target, fraction, price: at }: ExitedRecord, digits: number): string =>
  `Target ${target} reached at ${price(at, digits)}: ${Math.round(fraction * 1_000) / 10} % exited`;

export function closedText(record: ClosedRecord): string {
  const { reason, exit_price, pnl_r, pnl, instrument } = record;
  const result = CLOSE_RESULTS[reason] ?? reason;
  const title = result[0]!.toUpperCase() + result.slice(1);
  if (exit_price === null) return title;
  const signed = (value: number, decimals: number): string => `${value > 0 ? '+' : ''}${value.toFixed(decimals)}`;
  return `${title} at ${price(exit_price, instrument.digits)}: ${signed(pnl_r, 2)} R (${signed(pnl, 1)} pips)`;
}

export const VOIDED = 'Voided by an operator';

export const linkedText = (mode: ChatMode): string =>
  mode === 'review'
    ? 'This chat is linked. Signals that you write here are published after you confirm them.'
    : 'This chat is linked. Signals that you write here are published at once.';

export const UNLINKED = 'This chat is no longer linked. Its signals stay published.';
export const WRONG_CODE = 'This code is not valid, or it has expired. Create a new one in Tickwire.';
