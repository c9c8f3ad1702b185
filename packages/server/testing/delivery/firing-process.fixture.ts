// A process that writes firings with a message to each destination, and delivers them, until it is killed. Firings are numbered
// from where the last run ended. Arguments: data folder, number of firings in all, time at which the clock started, its speed.
import { join } from 'node:path';
import { webhookChannel } from '../../src/delivery/channels/webhook.ts';
import { DeliveryWorker } from '../../src/delivery/delivery-worker.ts';
import { DestinationBox } from '../../src/delivery/destination-box.ts';
import { OutgoingHttp } from '../../src/delivery/outgoing-http.ts';
import { stderrLog } from '../../src/ops/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { alertWrite, firing, message } from '../store/alert-samples.fixture.ts';

const [folder = '', total = '', started = '', speed = ''] = process.argv.slice(2);
const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
const now = (): number => Math.floor(Number(started) + (Date.now() - Number(started)) * Number(speed));
const http = new OutgoingHttp({ allowPrivate: true, limits: { totalMs: 500, bodyMs: 500 } });
const worker = new DeliveryWorker({
  store: store.delivery,
  id: 'alone',
  channels: new Map([['webhook', webhookChannel(http)]]),
  box: new DestinationBox(join(folder, 'delivery.key')),
  now,
  log: stderrLog('warn'),
  limits: { leaseMs: 30_000 * Number(speed) },
});
const destinations = (await store.delivery.destinations('pub_a')).map(({ id }) => id);
await worker.start();
process.stdout.write('started\n');

for (let n = ((await store.alerts.marks())?.judgedUntil ?? 0) + 1; n <= Number(total); n++) {
  const at = now();
  const body = { message: { type: 'alert.fired', timestamp: new Date(at).toISOString(), data: { n } } };
  await store.alerts.write(
    alertWrite({
      firings: [firing(`fir_${n}`, { cause: `seq:${n}` })],
      messages: destinations.map((destination) =>
        message(`msg_${destination}_${n}`, {
          destination,
          firing: `fir_${n}`,
          body: JSON.stringify(body),
          createdAt: at,
          notBefore: at,
        }),
      ),
      marks: { judgedUntil: n, signalN: 0, newsAt: 0 },
    }),
  );
  worker.wake();
  await Bun.sleep(4);
}
while ((await store.delivery.counts()).waiting > 0) await Bun.sleep(20);
await worker.stop();
await store.close();
process.stdout.write('done\n');
