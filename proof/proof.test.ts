// Two gateways, an ingest and another that stands by, as separate processes, while one after the other is killed, stopped,
// restarted or cut off. TICKWIRE_TEST_CLUSTER=full is the whole of it, with 500 readers on each gateway and links stalled for
// 20 s; otherwise it is the same with fewer readers and shorter times.
import { afterAll, describe, expect, test } from 'bun:test';
import { runTickwire } from '../packages/server/src/testing/process.fixture.ts';
import { redisCommand } from '../packages/server/src/testing/redis-server.fixture.ts';
import { postgresForTests } from '../packages/server/src/testing/services.fixture.ts';
import { AI_CALLS, ProofCluster } from './proof-cluster.fixture.ts';
import { ProofHammer, ProofPublishers } from './proof-publishers.fixture.ts';
import { ProofReaders } from './proof-readers.fixture.ts';
import { type Times, Trials } from './trials.fixture.ts';

const full = process.env.TICKWIRE_TEST_CLUSTER === 'full';
const server = await postgresForTests();
const command = redisCommand();
const READERS = full ? 500 : 50;
const TIMES: Times = full
  ? { downMs: 2_000, stallMs: 20_000, stopMs: 10_000 }
  : { downMs: 500, stallMs: 3_000, stopMs: 500 };
const WITHIN_MS = 10_000;
const TAKEOVER_MS = 5_000;
const FREE_LIMIT = 60;
const SYMBOLS = ['EURUSD', 'BTCUSD', 'XAUUSD'];

/** What an ingest may say when it is taken over from, or its store or Redis is away. */
const EXPECTED = [
  /^another ingest is active/,
  /^the service cannot go on$/,
  /^the store cannot write; everything waits in memory$/,
  /^the signal log cannot be written; closings wait$/,
  /^news cannot be scored or stored; it waits$/,
  /^(saving usage|recording usage|reading keys|marking how far signals were judged|measuring moves after news) failed$/,
];

/** `later`: it follows by itself, where nothing else runs. */
if (process.env.TICKWIRE_TEST_CLUSTER !== 'later')
  describe.skipIf(server === null || command === null)('a cluster', () => {
    let cluster: ProofCluster;
    let readers: ProofReaders | null = null;
    afterAll(async () => {
      readers?.kill();
      await cluster?.end();
    });

    test(
      'loses nothing and says nothing twice, whichever part of it fails',
      async () => {
        cluster = await ProofCluster.start({ redisCommand: command!, server: server! });
        const urls = cluster.gateways.map(({ url }) => url);
        const crowd = await cluster.key('crowd', ['read', 'publish']);
        const free = await cluster.key('free', ['read']);
        const analyst = await cluster.key('analyst', ['read']);
        const ports = cluster.gateways.map(({ port }) => port);
        await cluster.until(
          'the keys are known',
          async () => {
            const answers = urls.map((url) => fetch(`${url}/api/symbols`, { headers: { 'X-API-Key': crowd } }));
            return (await Promise.all(answers)).every(({ status }) => status === 200);
          },
          5_000,
        );
        readers = new ProofReaders(cluster.folder, { ports, key: crowd, readers: READERS });
        await cluster.until('all readers read', () => readers!.flowing(0), 30_000);
        const publishers = new ProofPublishers(urls, crowd);
        const hammer = new ProofHammer(urls, free, 100);
        const trials = new Trials(cluster, readers, publishers, TIMES);

        await trials.killIngest();
        await trials.killGateway();
        await trials.restartRedis(false);
        await trials.restartRedis(true);
        await trials.restartPostgres();
        await trials.stall('redis');
        await trials.stall('postgres');
        await trials.stopIngest();
        await trials.trimJournal();
        if (full) await trials.cutOffIngest();
        if (full) await trials.loseRedisAndIngest();
        await trials.upgrade();

        await countedTogether(cluster, urls, { crowd, analyst });
        await Promise.all([publishers.stop(), hammer.stop()]);
        const records = await cluster.database.ask<{ n: number; text: string }>(
          'SELECT n, text FROM sim.signal_log ORDER BY n',
        );
        const entries = records.map(({ text }) => JSON.parse(text) as { type: string; signal: string });
        const idsOf = (type: string): string[] =>
          entries.filter((entry) => entry.type === type).map(({ signal }) => signal);
        const [published, closed] = [idsOf('published'), idsOf('closed')];
        await cluster.until(
          'every reader of signals has the last one',
          () => readers!.progress!.signals >= lastTold(entries),
          10_000,
        );
        const found = await readers.finish();

        process.stderr.write(
          `  ${found.deliveries} deliveries, at most ${hammer.most()} requests of a Free key in a minute, ${found.resumed} resumed, ${found.declared} holes declared, ${published.length} signals published, ${closed.length} closed\n` +
            `  notices ${JSON.stringify(found.notices)}, refusals ${JSON.stringify([...publishers.refusals])}, cuts ${JSON.stringify(found.cuts)}\n`,
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
        expect(trials.recoveries.filter(({ epoch }) => epoch).map(({ trial }) => trial)).toEqual(
          full ? ['Redis and active ingest lost at once'] : [],
        );
        // Whoever balances over the gateways never had reason to take both of them out.
        expect(trials.recoveries.filter(({ unready }) => unready)).toEqual([]);
        const complaintsOf = (name: string): readonly string[] =>
          trials.recoveries.find(({ trial }) => trial === name)!.complaints;
        expect(complaintsOf('links to Redis stalled')).toEqual(['journal', 'limits', 'redis'].slice(full ? 0 : 1));
        expect(complaintsOf('links to PostgreSQL stalled')).toEqual(['database']);

        // Every 201 is in the log, once, and each is closed once at most.
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

        // The rule while Redis is away: as much again, at most.
        expect(hammer.refused).toBeGreaterThan(0);
        expect(hammer.most()).toBeLessThanOrEqual(2 * FREE_LIMIT);

        await sameEverywhere(cluster, urls, crowd);
        const revokedMs = await cluster.revoked(free);
        expect(revokedMs).toBeLessThan(1_500);
        for (const member of cluster.members) member.signal('SIGTERM');
        expect(await Promise.all(cluster.members.map((member) => member.exited()))).toEqual([0, 0, 0, 0]);
        const unexpected = cluster
          .errors()
          .filter(({ line }) => !EXPECTED.some((pattern) => pattern.test(line.message)));
        expect(unexpected).toEqual([]);
      },
      full ? 240_000 : 120_000,
    );
  });

/** Number of the last record that readers of signals are told of. */
const lastTold = (entries: readonly { type: string }[]): number =>
  entries.findLastIndex(({ type }) => type === 'published' || type === 'closed');

/** Readers and AI calls are counted over all gateways. */
async function countedTogether(
  cluster: ProofCluster,
  urls: readonly string[],
  { crowd, analyst }: { readonly crowd: string; readonly analyst: string },
): Promise<void> {
  const clients = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/api/session`, { headers: { 'X-API-Key': crowd } });
    return ((await answer.json()) as { clients_connected: number }).clients_connected;
  };
  await cluster.until(
    'every gateway counts the readers of all',
    async () => (await Promise.all(urls.map(clients))).every((count) => count === READERS * urls.length),
    10_000,
  );
  const headers = { 'X-API-Key': analyst };
  const body = JSON.stringify({ text: 'Gold jumps to a record high' });
  const statuses = await Promise.all(
    Array.from({ length: 4 * AI_CALLS }, async (_, at) => {
      const answer = await fetch(`${urls[at % urls.length]}/api/ai/sentiment`, { method: 'POST', headers, body });
      return answer.status;
    }),
  );
  expect(statuses.toSorted()).toEqual([...Array(AI_CALLS).fill(200), ...Array(3 * AI_CALLS).fill(429)]);
}

/** Bars that have closed are the same, and so are quotes of one moment. */
async function sameEverywhere(cluster: ProofCluster, urls: readonly string[], key: string): Promise<void> {
  const ask = async (path: string): Promise<string[]> =>
    Promise.all(urls.map(async (url) => (await fetch(url + path, { headers: { 'X-API-Key': key } })).text()));
  for (const symbol of SYMBOLS) {
    const same = async (path: string): Promise<boolean> => {
      const [one, other] = await ask(path);
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
