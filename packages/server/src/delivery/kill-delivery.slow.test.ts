// A process that writes and delivers messages is killed again and again, while receivers fail, hang, answer late and lose
// connections: every message arrives under its id, in order, and never after its delivery was stored.
import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadReceiver, type Manner } from '../../testing/delivery/bad-receiver.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { destination } from '../../testing/store/alert-samples.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { DestinationBox } from './destination-box.ts';

const KILLS = atScale(8, 50);
const RECEIVERS = 6;
const FIRINGS = 40 * KILLS;
/** Retries after 1 s come after 50 ms. */
const SPEED = 20;
/** A sender waits 500 ms for an answer (firing-process.fixture.ts), of which a busy machine may take half to receive its request. */
const GIVES_UP_AFTER_MS = 250;
const PROGRAM = join(import.meta.dir, '../../testing/delivery/firing-process.fixture.ts');
const MANNERS: readonly Manner[] = ['fail', 'hang', 'late', 'too_late', 'drop', 'drop_unread'];

const folder = temporaryFolder();
const receivers = Array.from({ length: RECEIVERS }, () => new BadReceiver());
let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | null = null;
afterAll(() => {
  child?.kill('SIGKILL');
  for (const receiver of receivers) receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

async function addDestinations(): Promise<void> {
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  const box = new DestinationBox(join(folder, 'delivery.key'));
  for (const [index, receiver] of receivers.entries()) {
    const [id, url] = [`dst${index}`, await receiver.listen()];
    const sealed = box.seal(id, { url, secret: receiver.secret });
    await store.delivery.putDestination(destination(id, { sealed }));
  }
  await store.close();
}

const started = Date.now();
async function start(): Promise<{ said: Promise<string> }> {
  child = Bun.spawn([process.execPath, PROGRAM, folder, String(FIRINGS), String(started), String(SPEED)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  const first = decoder.decode((await reader.read()).value);
  expect(first).toContain('started');
  return { said: reader.read().then(({ value }) => decoder.decode(value)) };
}

function stored(text: string): { id: string; destination: string; n: number }[] {
  using database = new Database(join(folder, 'sim', 'market.db'), { readonly: true });
  return database.query<{ id: string; destination: string; n: number }, []>(text).all();
}

test(`${KILLS} kills: every message is delivered under one id, in order, and not again once that is stored`, async () => {
  await addDestinations();
  for (const receiver of receivers)
    receiver.manner = () => (Math.random() < 0.85 ? 'accept' : MANNERS[Math.floor(Math.random() * MANNERS.length)]!);
  /** Messages whose delivery was stored before a run, by run. */
  const doneBefore: ReadonlySet<string>[] = [];
  /** Number of requests of each receiver at the start of each run. */
  const runs: number[][] = [];
  for (let kill = 0; kill <= KILLS; kill++) {
    if (kill === KILLS) for (const receiver of receivers) receiver.manner = () => 'accept';
    if (kill > 0)
      doneBefore.push(new Set(stored("SELECT id FROM messages WHERE state = 'delivered'").map(({ id }) => id)));
    else doneBefore.push(new Set());
    runs.push(receivers.map(({ requests }) => requests.length));
    const { said } = await start();
    if (kill === KILLS) expect(await said).toContain('done');
    else {
      await Bun.sleep(50 + Math.random() * 300);
      child!.kill('SIGKILL');
    }
    await child!.exited;
    // What the killed process had sent arrives.
    await Promise.all(receivers.map((receiver) => receiver.settle()));
  }

  const messages = stored('SELECT id, destination, n FROM messages ORDER BY n');
  expect(messages).toHaveLength(FIRINGS * RECEIVERS);
  expect(stored("SELECT id FROM messages WHERE state <> 'delivered'")).toEqual([]);
  let [requests, repeated] = [0, 0];
  for (const [index, receiver] of receivers.entries()) {
    const accepted = new Set(receiver.requests.filter((each) => each.accepted).map(({ id }) => id));
    const own = messages.filter((each) => each.destination === `dst${index}`).map(({ id }) => id);
    // Each arrived and was accepted.
    expect(own.filter((id) => !accepted.has(id))).toEqual([]);
    expect(receiver.requests.filter(({ id }) => !own.includes(id))).toEqual([]);
    for (const [run, firsts] of runs.entries()) {
      const part = receiver.requests.slice(firsts[index], runs[run + 1]?.[index]);
      // Nothing after a stored delivery.
      expect(part.filter(({ id }) => doneBefore[run]!.has(id))).toEqual([]);
      for (const [at, request] of part.entries()) {
        const before = part[at - 1];
        if (!before) continue;
        // In order; and what was accepted is not sent again by the same process, unless its answer came too late on a busy machine.
        const gaveUp = request.at - before.at >= GIVES_UP_AFTER_MS;
        expect(request.n).toBeGreaterThanOrEqual(before.n + (before.accepted && !gaveUp ? 1 : 0));
        // Nothing is skipped.
        expect(request.n).toBeLessThanOrEqual(before.n + 1);
      }
    }
    requests += receiver.requests.length;
    repeated += receiver.requests.filter((each) => each.accepted).length - accepted.size;
  }
  console.log(
    `${KILLS} kills, ${messages.length} messages, ${requests} requests, ${repeated} accepted twice (sent before a kill, not stored)`,
  );
});
