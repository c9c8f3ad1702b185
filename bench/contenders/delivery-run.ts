// Delivers messages to a receiver with the worker and the webhook channel of the service, from a store that also holds messages
// which are not due. Arguments: data folder, address of the receiver, messages to deliver, messages that wait. Prints JSON.
import { join } from 'node:path';
import { webhookChannel } from '../../packages/server/src/delivery/channels/webhook.ts';
import { DeliveryWorker } from '../../packages/server/src/delivery/delivery-worker.ts';
import { DestinationBox } from '../../packages/server/src/delivery/destination-box.ts';
import { OutgoingHttp } from '../../packages/server/src/delivery/outgoing-http.ts';
import { stderrLog } from '../../packages/server/src/ops/log.ts';
import type { NewMessage } from '../../packages/server/src/store/delivery-store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';

export interface DeliveryResult {
  /** Deliveries per second, by the clock and per CPU second of the process. */
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Milliseconds to lease 32 destinations with 16 messages each. */
  readonly leaseMs: number;
}

const DESTINATIONS = 200;
const PARKED_DESTINATIONS = 2_000;
const LEASED = 32;
const ROWS_AT_ONCE = 5_000;
const FAR_AWAY_MS = 86_400_000;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

const [folder = '', url = '', due = '', parked = ''] = process.argv.slice(2);
const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
const box = new DestinationBox(join(folder, 'delivery.key'));

async function fill(name: string, destinations: number, messages: number, notBefore: number): Promise<void> {
  for (let index = 0; index < destinations; index++) {
    const id = `${name}${index}`;
    await store.delivery.putDestination({
      id,
      account: 'pub_bench',
      channel: 'webhook',
      name: null,
      address: 'receiver',
      addressHash: id,
      sealed: box.seal(id, { url, secret: SECRET }),
      state: 'active',
      codeHash: null,
      codeExpiresAt: null,
      wrongCodes: 0,
      createdAt: 0,
    });
  }
  const data = { alert_id: 'alr', symbol: 'EURUSD', condition: { type: 'price', level: 1.2 }, price: 1.2, seq: 1 };
  const body = JSON.stringify({ message: { type: 'alert.fired', timestamp: '2026-11-16T00:00:00Z', data } });
  for (let at = 0; at < messages; at += ROWS_AT_ONCE) {
    const rows = Array.from(
      { length: Math.min(ROWS_AT_ONCE, messages - at) },
      (_, index): NewMessage => ({
        id: `${name}_${at + index}`,
        account: 'pub_bench',
        destination: `${name}${(at + index) % destinations}`,
        firing: 'fir',
        alert: 'alr',
        type: 'alert.fired',
        title: 'EURUSD bid crossed above 1.20000',
        body,
        createdAt: notBefore,
        notBefore,
      }),
    );
    await store.delivery.addMessages(rows);
  }
}

const now = Date.now();
await fill('parked', PARKED_DESTINATIONS, Number(parked), now + FAR_AWAY_MS);
await fill('due', DESTINATIONS, Number(due), now);

const leaseStarted = performance.now();
const leased = await store.delivery.lease({ worker: 'probe', now, until: now, destinations: LEASED, messages: 16 });
const leaseMs = performance.now() - leaseStarted;
await store.delivery.endLeases('probe');
if (leased.length !== LEASED) throw new Error(`${leased.length} destinations were leased`);

const worker = new DeliveryWorker({
  store: store.delivery,
  id: 'bench',
  channels: new Map([['webhook', webhookChannel(new OutgoingHttp({ allowPrivate: true }))]]),
  box,
  now: Date.now,
  log: stderrLog('warn'),
});
const delivered = (): number => worker.attempts.counts.get('webhook delivered') ?? 0;
const started = performance.now();
const cpu = process.cpuUsage();
await worker.start();
while (delivered() < Number(due)) await Bun.sleep(5);
const seconds = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(cpu);
await worker.stop();
await store.close();
const result: DeliveryResult = {
  perSecond: Number(due) / seconds,
  perCpuSecond: Number(due) / ((user + system) / 1e6),
  leaseMs,
};
console.log(JSON.stringify(result));
