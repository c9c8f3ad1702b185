// Two gateway nodes, an active ingest node and a standby run as separate processes, while one after the other is killed, stopped,
// restarted or disconnected. In full, each gateway node has 500 readers and links are stalled for 20 s.
import { afterAll, describe, expect, test } from 'bun:test';
import { postgresForTests } from '../packages/server/testing/external-services.fixture.ts';
import { runTickwire } from '../packages/server/testing/process.fixture.ts';
import { redisCommand } from '../packages/server/testing/redis-server.fixture.ts';
import { atScale, isFull } from '../packages/server/testing/scale.fixture.ts';
import { AI_CALLS, ProofCluster } from './cluster.fixture.ts';
import { FailureTrials, type OutageDurations } from './failures.fixture.ts';
import { ProofPublishers, RateLimitProbe } from './publishers.fixture.ts';
import { ProofReaders } from './readers.fixture.ts';

const server = await postgresForTests();
const command = redisCommand();
const READERS = atScale(50, 500);
const TIMES: OutageDurations = atScale(
  { downMs: 500, stallMs: 3_000, stopMs: 500 },
  { downMs: 2_000, stallMs: 20_000, stopMs: 10_000 },
);
const WITHIN_MS = 10_000;
const TAKEOVER_MS = 5_000;
const FREE_LIMIT = 60;
const SYMBOLS = ['EURUSD', 'BTCUSD', 'XAUUSD'];

/** Errors that an ingest node may log when it is replaced, or without its store or Redis. */
const EXPECTED = [
  /^another ingest node is active/,
  /^the service cannot continue$/,
  /^the store cannot write; data is kept in memory$/,
  /^the signal log is not writable; closings stay queued$/,
  /^news cannot be scored or stored; retrying$/,
  /^(saving usage|recording usage|refreshing keys|marking how far signals were judged|measuring moves after news|requests of the command line|deleting old audit entries|ending expired sessions|counting messages|filling volume at price|storing states of alerts|checking accounts with alerts) failed$/,
  /^messages cannot be delivered: the store failed$/,
];

describe.skipIf(server === null || command === null)('a cluster', () => {
  let cluster: ProofCluster;
  let readers: ProofReaders | null = null;
  afterAll(async () => {
    readers?.kill();
    await cluster?.end();
  }, 60_000);

  test(
    'loses and duplicates nothing, whichever part of it fails',
    async () => {
      cluster = await ProofCluster.start({ redisCommand: command!, server: server! });
      const urls = cluster.gateways.map(({ url }) => url);
      const load = await cluster.key('load', ['read', 'publish']);
      const free = await cluster.key('free', ['read']);
      const analyst = await cluster.key('analyst', ['read']);
      const ports = cluster.gateways.map(({ port }) => port);
      await cluster.until(
        'the keys are known',
        async () => {
          const responses = urls.map((url) => fetch(`${url}/api/symbols`, { headers: { 'X-API-Key': load } }));
          return (await Promise.all(responses)).every(({ status }) => status === 200);
        },
        5_000,
      );
      readers = new ProofReaders(cluster.folder, { ports, key: load, readers: READERS });
      await cluster.until('all readers read', () => readers!.isFlowing(0), 30_000);
      const publishers = new ProofPublishers(urls, load);
      const probe = new RateLimitProbe(urls, free, 100);
      const trials = new FailureTrials(cluster, readers, publishers, TIMES);

      await trials.killIngest();
      await trials.killGateway();
      await trials.restartRedis(false);
      await trials.restartRedis(true);
      await trials.restartPostgres();
      await trials.stall('redis');
      await trials.stall('postgres');
      await trials.stopIngest();
      await trials.trimJournal();
      await trials.disconnectIngest();
      await trials.loseRedisAndIngest();
      await trials.upgrade();

      await expectSharedCounts(cluster, urls, { load, analyst });
      await Promise.all([publishers.stop(), probe.stop()]);
      const records = await cluster.database.ask<{ n: number; text: string }>(
        'SELECT n, text FROM sim.signal_log ORDER BY n',
      );
      const entries = records.map(({ text }) => JSON.parse(text) as { type: string; signal: string });
      const idsOf = (type: string): string[] =>
        entries.filter((entry) => entry.type === type).map(({ signal }) => signal);
      const [published, closed] = [idsOf('published'), idsOf('closed')];
      await cluster.until(
        'every reader of signals has the last one',
        () => readers!.progress!.signals >= lastDelivered(entries),
        10_000,
      );
      const found = await readers.finish();

      process.stderr.write(
        `  ${found.deliveries} deliveries, at most ${probe.maxPerMinute()} requests of a Free key in a minute, ${found.resumed} resumed, ${found.declared} holes declared, ${published.length} signals published, ${closed.length} closed\n` +
          `  notices ${JSON.stringify(found.notices)}, rejections ${JSON.stringify([...publishers.rejections])}, cuts ${JSON.stringify(found.cuts)}\n`,
      );
      expect(found.faults).toEqual([]);
      expect({ undeclared: found.undeclared, duplicates: found.duplicates, unreadable: found.unreadable }).toEqual({
        undeclared: 0,
        duplicates: 0,
        unreadable: 0,
      });
      expect(trials.recoveries.filter(({ takeover }) => takeover > TAKEOVER_MS)).toEqual([]);
      for (const { trial, streams, publishing, ready } of trials.recoveries)
        expect([trial, streams < WITHIN_MS, publishing < WITHIN_MS, ready < WITHIN_MS]).toEqual([
          trial,
          true,
          true,
          true,
        ]);
      expect(trials.recoveries.filter(({ epoch }) => epoch).map(({ trial }) => trial)).toEqual([
        'Redis and active ingest lost together',
      ]);
      // A load balancer never had a reason to remove a gateway node.
      expect(trials.recoveries.filter(({ unready }) => unready)).toEqual([]);
      const failedChecksOf = (name: string): readonly string[] =>
        trials.recoveries.find(({ trial }) => trial === name)!.failedChecks;
      expect(failedChecksOf('links to Redis stalled')).toEqual(['journal', 'limits', 'redis'].slice(isFull ? 0 : 1));
      expect(failedChecksOf('links to PostgreSQL stalled')).toEqual(['database']);

      // Every signal with a 201 response is in the log once, and is closed at most once.
      expect(new Set(published).size).toBe(published.length);
      expect(new Set(closed).size).toBe(closed.length);
      expect([...publishers.published.keys()].filter((id) => !published.includes(id))).toEqual([]);
      expect([...publishers.closed].filter((id) => !closed.includes(id))).toEqual([]);
      const keys = [...publishers.published.values()].filter((key) => key !== '');
      expect(new Set(keys).size).toBe(keys.length);
      const twice = await cluster.database.ask(
        'SELECT idem_key FROM sim.signals WHERE idem_key IS NOT NULL GROUP BY publisher, idem_key HAVING count(*) > 1',
      );
      expect(twice).toEqual([]);
      const verified = await runTickwire(['verify', '--json'], {
        database_url: cluster.database.url,
        data: cluster.folder,
        realm: 'sim',
      });
      expect([verified.status, verified.status === 0 ? '' : verified.out + verified.err]).toEqual([0, '']);

      // Without Redis, a key may get at most twice its allowance.
      expect(probe.rejected).toBeGreaterThan(0);
      expect(probe.maxPerMinute()).toBeLessThanOrEqual(2 * FREE_LIMIT);

      await expectSameData(cluster, urls, load);
      const revokedMs = await cluster.revoke(free);
      expect(revokedMs).toBeLessThan(1_500);
      for (const node of cluster.nodes) node.signal('SIGTERM');
      expect(await Promise.all(cluster.nodes.map((node) => node.exited()))).toEqual([0, 0, 0, 0]);
      const unexpected = cluster.errors().filter(({ line }) => !EXPECTED.some((pattern) => pattern.test(line.message)));
      expect(unexpected).toEqual([]);
    },
    atScale(180_000, 300_000),
  );
});

/** Number of the last record that is delivered to readers of signals. */
const lastDelivered = (entries: readonly { type: string }[]): number =>
  entries.findLastIndex(({ type }) => type === 'published' || type === 'closed');

/** Readers and AI calls are counted over all gateway nodes. */
async function expectSharedCounts(
  cluster: ProofCluster,
  urls: readonly string[],
  { load, analyst }: { readonly load: string; readonly analyst: string },
): Promise<void> {
  const clients = async (url: string): Promise<number> => {
    const response = await fetch(`${url}/api/session`, { headers: { 'X-API-Key': load } });
    return ((await response.json()) as { clients_connected: number }).clients_connected;
  };
  await cluster.until(
    'every gateway counts the readers of all gateways',
    async () => (await Promise.all(urls.map(clients))).every((count) => count === READERS * urls.length),
    10_000,
  );
  const headers = { 'X-API-Key': analyst };
  const body = JSON.stringify({ text: 'Gold jumps to a record high' });
  const statuses = await Promise.all(
    Array.from({ length: 4 * AI_CALLS }, async (_, at) => {
      const response = await fetch(`${urls[at % urls.length]}/api/ai/sentiment`, { method: 'POST', headers, body });
      return response.status;
    }),
  );
  expect(statuses.toSorted()).toEqual([...Array(AI_CALLS).fill(200), ...Array(3 * AI_CALLS).fill(429)]);
}

/** All gateway nodes have the same closed bars, and the same quotes at the same moment. */
async function expectSameData(cluster: ProofCluster, urls: readonly string[], key: string): Promise<void> {
  const fetchAll = async (path: string): Promise<string[]> =>
    Promise.all(urls.map(async (url) => (await fetch(url + path, { headers: { 'X-API-Key': key } })).text()));
  for (const symbol of SYMBOLS) {
    const same = async (path: string): Promise<boolean> => {
      const [one, other] = await fetchAll(path);
      return one === other;
    };
    await cluster.until(`both show the same quote of ${symbol}`, () => same(`/api/market/${symbol}/quote`), 10_000);
    await cluster.until(
      `both show the same bars of ${symbol}`,
      () => same(`/api/market/${symbol}?timeframe=1m&limit=50`),
      10_000,
    );
  }
}
