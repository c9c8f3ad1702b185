// A delivery worker in a process of its own, on PostgreSQL. Arguments: address of the database, data folder, id of the worker,
// length of a lease in milliseconds.
import { join } from 'node:path';
import { webhookChannel } from '../../src/delivery/channels/webhook.ts';
import { DeliveryWorker } from '../../src/delivery/delivery-worker.ts';
import { DestinationBox } from '../../src/delivery/destination-box.ts';
import { OutgoingHttp } from '../../src/delivery/outgoing-http.ts';
import { stderrLog } from '../../src/ops/log.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';

const [url = '', folder = '', id = '', leaseMs = ''] = process.argv.slice(2);
const store = await openPostgresStore({ url, realm: 'sim', role: 'service', folder });
const worker = new DeliveryWorker({
  store: store.delivery,
  id,
  channels: new Map([
    ['webhook', webhookChannel(new OutgoingHttp({ allowPrivate: true, limits: { totalMs: 5_000 } }))],
  ]),
  box: new DestinationBox(join(folder, 'delivery.key')),
  now: Date.now,
  log: stderrLog('warn'),
  limits: { destinations: 16, ofAccount: 4, leaseMs: Number(leaseMs) },
});
await worker.start();
process.stdout.write('started\n');
process.on('SIGTERM', async () => {
  await worker.stop();
  await store.close();
  process.exit(0);
});
