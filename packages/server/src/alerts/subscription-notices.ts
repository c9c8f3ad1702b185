// What the message of a subscription says.
import { type HeadlineInput, type InstrumentSpec, type SignalInput, titleOf } from '@tickwire/engine';
import type { SubscriptionRow } from '../store/alert-store.ts';
import type { Fired } from './firing-messages.ts';
import { headlineCondition, signalCondition } from './subscription-list.ts';

export type Notice = Omit<Fired, 'account' | 'alert' | 'note' | 'firedAt'>;

export function signalNotice(
  row: SubscriptionRow,
  { n, happening, publisher, symbol, time, price }: SignalInput,
  seq: number | null,
  spec: InstrumentSpec | null,
): Notice {
  const condition = signalCondition(row);
  const cause = `signal:${n}:${happening}`;
  const detail = { kind: 'signal', happening, publisher: publisher.name, symbol } as const;
  const title = titleOf({ alert: row.id, cause, seq, time, price, symbol, detail }, condition, spec);
  return { cause, condition, title, symbol, time, price, seq };
}

export const newsNotice = (row: SubscriptionRow, { id, title, time }: HeadlineInput, seq: number | null): Notice => ({
  cause: `news:${id}`,
  condition: headlineCondition(row),
  title,
  symbol: row.symbol,
  ...{ time, price: null, seq },
});
