// Messages that no firing caused: codes and tests.
import { type AlertCondition, iso, type WebhookMessage } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { DEFAULT_LOCALE, type EventBody, type MessageLocale } from '../delivery/channel.ts';
import { type StoredCodeBody, sealCode } from '../delivery/code-channel.ts';
import type { DestinationBox } from '../delivery/destination-box.ts';
import type { DestinationRow, NewMessage } from '../store/delivery-store.ts';
import { newId } from './destination-json.ts';

export interface NewCode {
  readonly code: string;
  readonly box: DestinationBox;
  readonly unsubscribe: string | undefined;
}

/** `destination` has the time at which the code expires. */
export function codeMessage(destination: DestinationRow, { code, box, unsubscribe }: NewCode, now: number): NewMessage {
  const written = message(destination, null, 'code', 'Your Tickwire code', '', now);
  const body: StoredCodeBody = {
    sealedCode: sealCode(box, written.id, code),
    expiresAt: destination.codeExpiresAt ?? now,
    // A code has neither times nor numbers.
    locale: DEFAULT_LOCALE,
    ...(unsubscribe !== undefined && { unsubscribe }),
  };
  return { ...written, body: JSON.stringify(body) };
}

/** What is tested: an alert, or a destination. */
export interface Tested {
  readonly alert: string | null;
  readonly symbol: MarketSymbol | null;
  readonly condition: AlertCondition;
  readonly note: string | null;
  readonly locale: MessageLocale;
  readonly unsubscribe?: string;
}

export function testMessage(destination: DestinationRow, tested: Tested, now: number): NewMessage {
  const { alert, symbol, condition, note, locale, unsubscribe } = tested;
  const title = alert === null ? 'Test of a destination' : 'Test of an alert';
  const sent: WebhookMessage = {
    type: 'test',
    timestamp: iso(now),
    data: {
      ...{ alert_id: alert ?? destination.id, symbol, condition, note, title },
      ...{ price: null, seq: null, late: false, firing_id: 'test' },
    },
  };
  const body: EventBody = { message: sent, locale, ...(unsubscribe !== undefined && { unsubscribe }) };
  return message(destination, alert, 'test', title, JSON.stringify(body), now);
}

const message = (
  { id: destination, account }: DestinationRow,
  alert: string | null,
  type: string,
  title: string,
  body: string,
  now: number,
): NewMessage => ({
  ...{ id: newId('msg'), account, destination, firing: null, alert, type, title, body },
  createdAt: now,
  notBefore: now,
});
