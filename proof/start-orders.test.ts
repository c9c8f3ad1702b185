// Clusters that start in every order of their nodes (in full; otherwise in two of them), on an empty PostgreSQL and Redis. In each of them, every message carries the
// epoch of the journal, and a client of one gateway node resumes at the other without a gap or a duplicate. The proof of
// failures (proof.test.ts) starts in one order only.
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openLogKey } from '../packages/server/src/signals/log-key.ts';
import { expectContinuity } from '../packages/server/testing/continuity.fixture.ts';
import { postgresForTests } from '../packages/server/testing/external-services.fixture.ts';
import { redisCommand } from '../packages/server/testing/redis-server.fixture.ts';
import { ResumingClient } from '../packages/server/testing/resuming-client.fixture.ts';
import { atScale } from '../packages/server/testing/scale.fixture.ts';
import { ProofCluster, type ProofClusterOptions } from './cluster.fixture.ts';
import type { ClusterNode } from './cluster-node.fixture.ts';
import { ProofPublishers } from './publishers.fixture.ts';
import { ProofReaders } from './readers.fixture.ts';

const server = await postgresForTests();
const command = redisCommand();
const TIMEOUT_MS = 600_000;
const START_MS = 180_000;
const END_MS = 180_000;
const READERS = 20;
/** Events that a resuming client has missed, at least. */
const REPLAYED = 20;
const [I, S, G, H] = ['ingest-1', 'ingest-2', 'gateway-1', 'gateway-2'];
/** The two ingest nodes are alike until one is active, and so are the gateway nodes: these are all different orders. */
const ALL_ORDERS = [
  [I, S, G, H],
  [I, G, S, H],
  [I, G, H, S],
  [G, I, S, H],
  [G, I, H, S],
  [G, H, I, S],
] as const;
const ORDERS: readonly (typeof ALL_ORDERS)[number][] = atScale([ALL_ORDERS[1], ALL_ORDERS[5]], [...ALL_ORDERS]);

describe.skipIf(server === null || command === null)('a cluster that starts', () => {
  let cluster: ProofCluster | null = null;
  let readers: ProofReaders | null = null;
  afterEach(async () => {
    readers?.kill();
    await cluster?.end();
    [cluster, readers] = [null, null];
  }, END_MS);
  const create = async (changes: Partial<ProofClusterOptions> = {}): Promise<ProofCluster> => {
    cluster = await ProofCluster.create({ redisCommand: command!, server: server!, ownPostgres: false, ...changes });
    return cluster;
  };

  for (const order of ORDERS)
    test(
      `in the order ${order.join(', ')}`,
      async () => {
        const started = await create();
        const key = await started.key('load', ['read', 'publish']);
        for (const name of order) await startAndWait(started, started.node(name!));
        await complete(started);
        await expectResume(started, key);
      },
      TIMEOUT_MS,
    );

  test(
    'all at once, and again after Redis has lost everything, gateways first: early clients are notified of the gap',
    async () => {
      const started = await create();
      const key = await started.key('load', ['read', 'publish']);
      for (const node of started.nodes) node.start();
      await complete(started);
      await expectResume(started, key);
      const before = await started.epoch();
      for (const node of [...started.gateways, ...started.ingests]) await node.stop();
      await started.redis.lose();
      await started.redis.start();
      for (const gateway of started.gateways) await startAndWait(started, gateway);
      const early = new ResumingClient(started.gateways[0]!, 'market', key, { symbols: ['*'] });
      await early.connect(0);
      for (const ingest of started.ingests) ingest.start();
      await complete(started);
      const epoch = await started.epoch();
      expect(epoch).not.toBe(before);
      await early.read(() => early.data.at(-1)?.epoch === epoch, 'a message of the new epoch');
      expect(early.notices.filter(({ event }) => event === 'gap').length).toBeGreaterThan(0);
      early.leave();
      await expectResume(started, key);
    },
    TIMEOUT_MS,
  );

  test(
    'with different log keys: one ingest node serves, the other is not ready and says why',
    async () => {
      const otherKey = join(mkdtempSync(join(tmpdir(), 'tickwire-other-key-')), 'log-key.pem');
      openLogKey(otherKey);
      const started = await create({ settings: { 'ingest-2': { log_key: otherKey } } });
      const key = await started.key('load', ['read', 'publish']);
      for (const node of started.nodes) node.start();
      let active: ClusterNode | null = null;
      const isActive = async (): Promise<boolean> => {
        active = await started.serving();
        return active !== null;
      };
      await started.until('an ingest is active', isActive, START_MS);
      const other = started.ingests.find((ingest) => ingest !== active)!;
      const refuses = async (): Promise<boolean> => {
        if (!other.running) return other.log.some(({ message }) => /log key|is not the key/.test(message));
        const ready = await other.ready();
        return ready?.status === 503 && /log key|is not the key/.test(ready.body.checks.log_key ?? '');
      };
      await started.until('the other ingest refuses', refuses, START_MS);
      // Without an active node, it leaves the lease alone.
      await active!.kill();
      await Bun.sleep(5_000);
      expect(await started.active()).toBeNull();
      active!.start();
      await started.until(
        'the first ingest is active again',
        async () => (await started.serving()) === active,
        START_MS,
      );
      await expectResume(started, key);
      rmSync(dirname(otherKey), { recursive: true });
    },
    TIMEOUT_MS,
  );

  test(
    'with clocks that differ by 3 s: nothing is lost or duplicated, also across takeovers',
    async () => {
      const skewMs = { 'ingest-2': 3_000, 'gateway-1': 3_000, 'gateway-2': -3_000 };
      const started = await create({ skewMs });
      const key = await started.key('load', ['read', 'publish']);
      await startAndWait(started, started.node(I!));
      await started.until('the first ingest is active', async () => (await started.serving()) !== null, START_MS);
      for (const node of started.nodes.slice(1)) node.start();
      await complete(started);
      await expectResume(started, key);
      const ports = started.gateways.map(({ port }) => port);
      readers = new ProofReaders(started.folder, { ports, key, readers: READERS });
      await started.until('all readers read', () => readers!.isFlowing(0), START_MS);
      const publishers = new ProofPublishers(
        started.gateways.map(({ url }) => url),
        key,
      );
      for (const _ of ['to the node whose clock is ahead', 'and back']) {
        const active = (await started.serving())!;
        await active.kill();
        await started.until(
          'the other ingest serves',
          async () => ![null, active].includes(await started.serving()),
          START_MS,
        );
        const since = Date.now();
        await started.until('the streams flow', () => readers!.isFlowing(since + 500), START_MS);
        active.start();
        await complete(started);
      }
      await publishers.stop();
      const { undeclared, duplicates, unreadable, faults } = await readers.finish();
      expect({ undeclared, duplicates, unreadable, faults }).toEqual({
        undeclared: 0,
        duplicates: 0,
        unreadable: 0,
        faults: [],
      });
      expect(publishers.published.size).toBeGreaterThan(10);
      await expectResume(started, key);
    },
    2 * TIMEOUT_MS,
  );
});

/** Starts a node and waits until it responds, ready or not. */
async function startAndWait(cluster: ProofCluster, node: ClusterNode): Promise<void> {
  node.start();
  await cluster.until(`${node.name} responds`, async () => (await node.ready()) !== null, START_MS);
}

const wasSuperseded = ({ running, log }: ClusterNode): boolean =>
  !running && log.some(({ message }) => message.startsWith('another ingest node is active'));

/** Waits until one ingest node serves, the other is on standby and both gateway nodes are ready. */
async function complete(cluster: ProofCluster): Promise<void> {
  await cluster.until(
    'the cluster is complete',
    async () => {
      // A supervisor would start it again. On a machine without enough CPU time, a lease can expire at any moment.
      for (const ingest of cluster.ingests) if (wasSuperseded(ingest)) ingest.start();
      const gateways = await Promise.all(cluster.gateways.map((gateway) => gateway.ready()));
      const ingests = await Promise.all(cluster.ingests.map((ingest) => ingest.ready()));
      return (
        (await cluster.serving()) !== null &&
        gateways.every((ready) => ready?.body.status === 'ok') &&
        ingests.every((ready) => ready?.status === 200)
      );
    },
    START_MS,
  );
}

/** A client of each gateway node resumes at the other one, without a gap, in the epoch of the journal. */
async function expectResume(cluster: ProofCluster, key: string): Promise<void> {
  const epoch = await cluster.epoch();
  expect(epoch).toMatch(/^[0-9a-f]{12}$/);
  const [one, other] = cluster.gateways.map(({ url }) => url) as [string, string];
  await Promise.all(
    [
      [one, other],
      [other, one],
    ].map(async ([first, second]) => {
      const place = { url: first! };
      const client = new ResumingClient(place, 'market', key, { symbols: ['*'] });
      await client.connect(0);
      expect(client.position.epoch).toBe(epoch);
      await client.take(60);
      client.leave();
      // The other gateway node may be behind on a busy machine. It must have newer messages, so that some are replayed.
      const watcher = new ResumingClient({ url: second! }, 'market', key, { symbols: ['*'] });
      await watcher.connect(0);
      await watcher.read(() => watcher.position.seq > client.position.seq + REPLAYED, 'newer messages');
      watcher.leave();
      place.url = second!;
      await client.resume();
      await client.take(60);
      client.leave();
      expectContinuity(client.data);
      expect(new Set(client.data.map((message) => message.epoch))).toEqual(new Set([epoch]));
      expect(client.notices.filter(({ event }) => event === 'gap')).toEqual([]);
    }),
  );
}
