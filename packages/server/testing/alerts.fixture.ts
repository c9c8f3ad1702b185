// Firings of alerts for tests.
import type { AlertFiring } from '@tickwire/contract';
import type { AlertEvent } from '../src/journal/journal.ts';

export const alertEvent = (id: string, changes: Partial<AlertFiring> = {}, account = 'pub_1'): AlertEvent => ({
  kind: 'alert',
  account,
  firing: {
    id,
    alert_id: 'alr_1',
    symbol: 'EURUSD',
    condition: { type: 'price', cross: 'above', level: 1.2, side: 'bid' },
    title: 'EURUSD bid crossed above 1.20000',
    note: null,
    time: '2026-03-02T10:14:07.312Z',
    fired_at: '2026-03-02T10:14:07.318Z',
    late: false,
    price: 1.20001,
    seq: 7,
    ...changes,
  },
});
