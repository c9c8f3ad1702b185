// From the form to the request: the ticket, what is missing in it, and what is sent.

import type { SignalRequest } from '@tickwire/client';
import { HOUR_MS, MINUTE_MS } from '@tickwire/contract/durations.ts';
import { readPositive } from '../ui/read-number.ts';
import {
  readFraction,
  readSlippage,
  type Ticket,
  type TicketCheck,
  type TicketField,
  type TicketTarget,
  ticketLabel,
} from './ticket.ts';

/** The relevant part of `FormValues`. */
export interface FieldTexts {
  text(name: string): string;
}

/** The targets in the form. A single one is the whole position. */
const targetsIn = (values: FieldTexts, count: number): readonly TicketTarget[] =>
  Array.from({ length: count }, (_, index) => ({
    price: readPositive(values.text(`target_${index + 1}`)),
    fraction: count === 1 ? 1 : readFraction(values.text(`fraction_${index + 1}`)),
  }));

export function ticketOf(values: FieldTexts, targets: number): Ticket {
  const maxSlippage = readSlippage(values.text('max_slippage'));
  return {
    direction: values.text('direction') === 'sell' ? 'sell' : 'buy',
    isMarketOrder: values.text('order') === 'market',
    ...(maxSlippage !== undefined && { maxSlippage }),
    entry: readPositive(values.text('entry')),
    stop: readPositive(values.text('stop_loss')),
    targets: targetsIn(values, targets),
  };
}

/** The prices and parts that are missing or cannot be read. */
export function missingIn({ isMarketOrder, maxSlippage = 0, entry, stop, targets }: Ticket): TicketCheck['problems'] {
  const values: readonly (readonly [TicketField, number | null, string])[] = [
    isMarketOrder
      ? ['max_slippage', maxSlippage, 'a distance in price units, such as 0.0003, or empty']
      : ['entry', entry, 'a price, such as 1.0834'],
    ['stop_loss', stop, 'a price, such as 1.0834'],
    ...targets.flatMap(({ price, fraction }, index) => [
      [`target_${index + 1}`, price, 'a price, such as 1.0834'] as const,
      [`fraction_${index + 1}`, fraction, 'a percentage with at most two decimals'] as const,
    ]),
  ];
  return new Map(
    values
      .filter(([, value]) => value === null)
      .map(([field, , allowed]) => [field, `${ticketLabel(field, targets.length)} must be ${allowed}.`]),
  );
}

/** `null` if a price or a part is missing. `now`: milliseconds since the epoch. */
export function requestOf(
  values: FieldTexts,
  { direction, isMarketOrder, maxSlippage, entry, stop, targets }: Ticket,
  now: number,
): SignalRequest | null {
  const exits = targets.flatMap(({ price, fraction }) =>
    price === null || fraction === null ? [] : { price, fraction },
  );
  const isEntered = isMarketOrder ? maxSlippage !== null : entry !== null;
  if (!isEntered || stop === null || exits.length < targets.length) return null;
  const [expiry, note] = [values.text('expires_at'), values.text('note').trim()];
  const breakeven = values.text('breakeven_after');
  return {
    symbol: values.text('symbol'),
    direction,
    ...(isMarketOrder ? { order: 'market' } : { entry: entry! }),
    ...(isMarketOrder && typeof maxSlippage === 'number' && { max_slippage: maxSlippage }),
    stop_loss: stop,
    ...(exits.length === 1 ? { take_profit: exits[0]!.price } : { targets: exits }),
    ...(breakeven !== '' && { breakeven_after: Number(breakeven) }),
    // Rounded up to the minute, so that the review shows a plain time.
    ...(expiry !== '' && {
      expires_at: new Date(Math.ceil((now + Number(expiry) * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
    }),
    ...(note !== '' && { note }),
  };
}
