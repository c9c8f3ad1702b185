// Alerts, firings, destinations and messages for tests of stores.
import type { AlertRow, AlertWrite, FiringRow, SubscriptionRow } from '../../src/store/alert-store.ts';
import type { DestinationRow, LeaseFilter, NewMessage } from '../../src/store/delivery-store.ts';
import type { Store } from '../../src/store/store.ts';
import { EURUSD } from './samples.fixture.ts';

export const alert = (id: string, part: Partial<AlertRow> = {}): AlertRow => ({
  id,
  account: 'pub_a',
  symbol: EURUSD,
  condition: '{"type":"price","cross":"above","level":1.2,"side":"bid"}',
  repeat: 'every_time',
  interval: null,
  cooldownMs: 60_000,
  expiresAt: null,
  note: 'a "note"\n€',
  deliver: ['dst_1'],
  createdAt: 1_000,
  sinceSeq: 10,
  sinceTime: 1_000,
  paused: false,
  done: false,
  fired: 0,
  lastFiredAt: null,
  state: null,
  ...part,
});

export const subscription = (id: string, part: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  id,
  account: 'pub_a',
  publisher: 'pub_x',
  symbol: null,
  category: null,
  events: ['published', 'closed'],
  mirror: true,
  deliver: ['dst_1'],
  createdAt: 1_000,
  sinceN: 3,
  ...part,
});

export const firing = (id: string, part: Partial<FiringRow> = {}): FiringRow => ({
  id,
  account: 'pub_a',
  alert: 'alr_1',
  cause: `seq:${id}`,
  time: 2_000,
  firedAt: 2_001,
  seq: 11,
  price: 1.1 + 0.1,
  about: '{"note":"a €"}',
  body: '{"title":"EURUSD"}',
  ...part,
});

export const destination = (id: string, part: Partial<DestinationRow> = {}): DestinationRow => ({
  id,
  account: 'pub_a',
  channel: 'webhook',
  name: null,
  address: 'receiver.example',
  addressHash: `hash of ${id}`,
  sealed: 'plain:{}',
  state: 'active',
  codeHash: null,
  codeExpiresAt: null,
  wrongCodes: 0,
  createdAt: 1_000,
  ...part,
});

export const leasable = (
  name: DestinationRow['channel'],
  ...exceptAccounts: readonly string[]
): LeaseFilter['channels'][number] => ({ name, exceptAccounts });

export const message = (id: string, part: Partial<NewMessage> = {}): NewMessage => ({
  id,
  account: 'pub_a',
  destination: 'dst_1',
  firing: null,
  alert: null,
  type: 'alert.fired',
  title: 'EURUSD bid crossed above 1.20000',
  body: '{"message":{}}',
  createdAt: 2_000,
  notBefore: 2_000,
  ...part,
});

export const alertWrite = (part: Partial<AlertWrite> = {}): AlertWrite => ({
  firings: [],
  messages: [],
  progress: [],
  marks: { judgedUntil: 20, signalN: 4, newsAt: 5_000 },
  ...part,
});

/** An alert that fired to a destination, and a message that was delivered. */
export async function someAlerts({ alerts, delivery }: Store): Promise<void> {
  await delivery.putDestination(destination('dst_1'));
  await alerts.putAlert(alert('alr_1'));
  await alerts.putSubscription(subscription('sub_1'));
  await alerts.putPreferences({ account: 'pub_a', timeZone: 'Europe/Berlin', numberFormat: 'de' });
  await alerts.write(
    alertWrite({
      firings: [firing('fir_1')],
      messages: [message('msg_1', { firing: 'fir_1', alert: 'alr_1' }), message('msg_2')],
      progress: [{ id: 'alr_1', state: '{"armed":false}', done: false, fired: 1, lastFiredAt: 2_001 }],
    }),
  );
  await delivery.lease({ worker: 'w', now: 3_000, until: 9_000, destinations: 1, messages: 1 });
  await delivery.complete(
    'w',
    [{ id: 'msg_1', result: 'delivered', at: 3_500 }],
    [{ destination: 'dst_1', wakeAt: 0, failures: 0, failingSince: null }],
  );
}
