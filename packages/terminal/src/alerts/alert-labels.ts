// Words for states, channels and repetition.
import type { Alert, Delivery, Destination } from '@tickwire/client';
import { figure, NO_VALUE } from '../ui/format.ts';
import { spanOf } from '../ui/price-age.ts';

export const CHANNEL: Readonly<Record<Alert['deliver'][number]['channel'], string>> = {
  webhook: 'Webhook',
  telegram: 'Telegram',
  discord: 'Discord',
  slack: 'Slack',
  email: 'E-mail',
  push: 'Browser',
  in_app: 'Terminal',
};

type Tone = 'good' | 'bad' | 'notice-chip' | '';

export const ALERT_STATE: Readonly<Record<Alert['state'], readonly [text: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  paused: ['Paused', 'notice-chip'],
  done: ['Fired', ''],
  expired: ['Expired', ''],
};

/** What the list shows instead of `Active`. */
export const NOT_CHECKED: Readonly<Record<NonNullable<Alert['not_checked']>, string>> = {
  instrument_not_configured: 'instrument is not configured',
};

export const DESTINATION_STATE: Readonly<Record<Destination['state'], readonly [text: string, tone: Tone]>> = {
  unverified: ['Not verified', 'notice-chip'],
  active: ['Active', 'good'],
  paused: ['Paused: failed too often', 'bad'],
  unsubscribed: ['Unsubscribed', 'bad'],
};

export const DELIVERY_STATE: Readonly<Record<Delivery['state'], readonly [text: string, tone: Tone]>> = {
  waiting: ['Waiting', 'notice-chip'],
  delivered: ['Delivered', 'good'],
  dead: ['Given up', 'bad'],
};

type Repetition = Pick<Alert, 'repeat' | 'interval' | 'cooldown_seconds'>;

export function repeatText({ repeat, interval, cooldown_seconds: cooldown }: Repetition): string {
  if (repeat === 'once') return 'Once';
  const apart = cooldown === 0 ? '' : `, at least ${spanOf(cooldown * 1_000)} apart`;
  return repeat === 'once_per_bar' ? `Once per ${interval ?? '1m'} bar${apart}` : `Every time${apart}`;
}

/** `23 ms`, `4.2 s`, `12 min`. */
export function latencyText(ms: number | null): string {
  if (ms === null) return NO_VALUE;
  if (ms < 1_000) return `${ms} ms`;
  return ms < 120_000 ? `${figure(ms / 1_000)} s` : `${figure(Math.round(ms / 60_000))} min`;
}
