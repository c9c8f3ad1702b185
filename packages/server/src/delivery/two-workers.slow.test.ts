// Two workers on one database. One is killed: the other delivers everything, in order, and nothing twice but what the killed one
// had sent without storing it.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadReceiver } from '../../testing/delivery/bad-receiver.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { alertWrite, destination, firing, message } from '../../testing/store/alert-samples.fixture.ts';
import { testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts';
import { DestinationBox } from './destination-box.ts';

const server = await postgresForTests();
const PROGRAM = join(import.meta.dir, '../../testing/delivery/worker-process.fixture.ts');
const RECEIVERS = 8;
const FIRINGS = 400;
const LEASE_MS = 2_000;

const folder = temporaryFolder();
const receivers = Array.from({ length: RECEIVERS }, () => new BadReceiver());
const children: Bun.Subprocess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const receiver of receivers) receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startWorker(url: string, id: string): Promise<Bun.Subprocess> {
  const command = [process.execPath, PROGRAM, url, folder, id, String(LEASE_MS)];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain('started');
  return child;
}

describe.skipIf(server === null)('two delivery workers', () => {
  test('one is killed: none is lost, none doubled beyond what was not stored, order is kept', async () => {
    await using resources = new AsyncDisposableStack();
    const database = resources.adopt(await testDatabase(server!), (it) => it.dispose());
    const { url } = database;
    const store = resources.adopt(await openPostgresStore({ url, realm: 'sim', role: 'service', folder }), (it) =>
      it.close(),
    );
    const box = new DestinationBox(join(folder, 'delivery.key'));
    for (const [index, receiver] of receivers.entries()) {
      const id = `dst${index}`;
      const sealed = box.seal(id, { url: await receiver.listen(), secret: receiver.secret });
      await store.delivery.putDestination(destination(id, { sealed }));
      receiver.manner = () => (Math.random() < 0.01 ? 'fail' : Math.random() < 0.3 ? 'late' : 'accept');
    }
    const [first, second] = await Promise.all([startWorker(url, 'first'), startWorker(url, 'second')]);
    let killedAt = 0;
    let doneAtKill: ReadonlySet<string> = new Set();
    // The other worker delivers while they are read.
    let readAt = 0;
    let workersSeen = 0;
    for (let n = 1; n <= FIRINGS; n++) {
      const at = Date.now();
      const body = JSON.stringify({ message: { type: 'alert.fired', timestamp: '', data: { n } } });
      const messages = receivers.map((_, index) =>
        message(`msg_${index}_${n}`, {
          destination: `dst${index}`,
          firing: `fir_${n}`,
          body,
          createdAt: at,
          notBefore: at,
        }),
      );
      await store.alerts.write(alertWrite({ firings: [firing(`fir_${n}`, { cause: `seq:${n}` })], messages }));
      await Bun.sleep(5);
      if (n !== FIRINGS / 2) continue;
      const leased = await database.ask<{ workers: number }>(
        'SELECT count(DISTINCT worker)::int AS workers FROM sim.destination_queues WHERE worker IS NOT NULL',
      );
      workersSeen = leased[0]!.workers;
      first!.kill('SIGKILL');
      await first!.exited;
      killedAt = Date.now();
      const done = await database.ask<{ id: string }>("SELECT id FROM sim.messages WHERE state = 'delivered'");
      doneAtKill = new Set(done.map(({ id }) => id));
      readAt = Date.now();
    }
    const deadline = Date.now() + 60_000;
    while ((await store.delivery.counts()).waiting > 0 && Date.now() < deadline) await Bun.sleep(50);
    second!.kill('SIGTERM');
    await second!.exited;

    expect(await store.delivery.counts()).toEqual({ waiting: 0, dead: 0 });
    let twice = 0;
    for (const { requests } of receivers) {
      const accepted = requests.filter((each) => each.accepted);
      const order = [...new Set(accepted.map(({ n }) => n))];
      expect(order).toEqual(Array.from({ length: FIRINGS }, (_, index) => index + 1));
      expect(requests.filter(({ id, at }) => at > readAt && doneAtKill.has(id))).toEqual([]);
      const firstAt = new Map<string, number>();
      for (const { id, at } of accepted) {
        const before = firstAt.get(id);
        if (before === undefined) firstAt.set(id, at);
        else {
          twice++;
          // Accepted before the kill, and again by the other worker when the lease had ended.
          expect(before).toBeLessThanOrEqual(killedAt);
          expect(at).toBeGreaterThan(killedAt);
        }
      }
    }
    console.log(`${FIRINGS * RECEIVERS} messages, ${workersSeen} workers at the kill, ${twice} accepted twice`);
  });
});
