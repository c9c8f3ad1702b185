// Alert rules about a cluster fire when its standby or Redis is gone, when the way to Redis is slow or cut, and when two ingest
// nodes have different names of the cluster.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { observeGateway, observeIngest } from '../../src/app/metrics.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { alertsOf, hasPromtool, type Scrape, scrapeOf, type Target } from '../alert-rules.fixture.ts';
import { canRunCluster, SmallCluster } from '../app/small-cluster.fixture.ts';
import { tickEvents } from '../market-events.fixture.ts';
import { RedisSandbox, waitUntil } from '../redis-sandbox.fixture.ts';
import { OwnRedis, redisCommand } from '../redis-server.fixture.ts';
import { type StallingProxy, stallingProxy } from '../stalling-proxy.fixture.ts';

const command = redisCommand();
const target = (role: Target['role'], instance: string, text: string | null): Target => ({ role, instance, text });

describe.skipIf(!hasPromtool || !canRunCluster || !command)('alert rules', () => {
  let redis: OwnRedis;
  beforeAll(async () => {
    redis = await OwnRedis.start(command!);
  });
  afterAll(() => redis.end());

  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const sandboxOf = (url: string): RedisSandbox => {
    const sandbox = new RedisSandbox(url);
    ends.push(() => sandbox.end());
    return sandbox;
  };
  const proxied = async (): Promise<StallingProxy> => {
    const proxy = await stallingProxy(redis.url, 6379);
    ends.push(() => proxy.stop());
    return proxy;
  };

  test('for a journal that is not read, and one that Redis does not get', async () => {
    const sandbox = sandboxOf(redis.url);
    const [toWriter, toReader] = [await proxied(), await proxied()];
    const link = await sandbox.link({ url: toWriter.url });
    const journal = await sandbox.writer(link, await sandbox.lease(link), { ringBytes: 1_000_000 });
    const readerLink = await sandbox.link({ url: toReader.url, bytes: true });
    const { reader } = await sandbox.reader('newest', { link: readerLink });
    const [ingest, gateway] = [new Metrics(), new Metrics()];
    observeIngest(ingest, journal);
    observeGateway(gateway, {
      journal: reader,
      allowance: { decidedLocally: 0 },
      ingestProxy: { forwarded: 0, retries: 0 },
      gateways: () => 1,
      countsLocally: () => false,
    } as unknown as Parameters<typeof observeGateway>[1]);
    const scrape = (): Scrape => [
      target('ingest', 'ingest-1', `${ingest.render()}tickwire_ingest_active 1\n`),
      target('gateway', 'gateway-1', gateway.render()),
    ];
    const append = async (): Promise<void> => {
      for (let batch = 0; batch < 60; batch++) {
        journal.append(tickEvents(1_000));
        await Bun.sleep(1);
      }
    };
    journal.append(tickEvents(1));
    await waitUntil(() => reader.lastSeq === journal.lastSeq, 'the first tick');
    const before = scrape();
    toReader.stall();
    await append();
    await waitUntil(() => journal.unpublished === 0 && reader.state().behind >= 60_000, 'the reader is behind');
    const behind = scrape();
    toReader.resume();
    await waitUntil(() => reader.lastSeq === journal.lastSeq, 'the reader has caught up');
    journal.append(tickEvents(1));
    await waitUntil(() => reader.state().behind === 0 && (reader.state().delayMs ?? 0) < 500, 'it is not late');
    toWriter.refuse(true);
    toWriter.cut();
    await append();
    expect(journal.lostEvents).toBeGreaterThan(0);
    expect(journal.unpublished).toBeGreaterThan(10_000);
    const wanted = [[], ['TickwireJournalBehind'], ['TickwireJournalLost', 'TickwireJournalNotPublished']];
    expect(await alertsOf([before, behind, scrape()], wanted)).toBe('as wanted');
    toWriter.refuse(false);
  });

  test('for two ingest nodes whose names of the cluster differ', async () => {
    const nodes = [sandboxOf(redis.url), sandboxOf(redis.url)];
    const [one, two] = await Promise.all(nodes.map(async (each) => each.standBy(await each.link())));
    const active = (): Scrape =>
      [one!, two!].map((lease, at) =>
        target('ingest', `ingest-${at}`, `tickwire_ingest_active ${Number(lease.held())}\n`),
      );
    const gateway = target('gateway', 'gateway-1', '');
    await one!.acquire();
    const before = active();
    await two!.acquire();
    const wanted = [[], ['TickwireTwoActiveIngests']];
    const scrapes = [before, active()].map((each) => [...(each as readonly Target[]), gateway]);
    expect(await alertsOf(scrapes, wanted)).toBe('as wanted');
  });

  test('for a cluster without a standby, and then without Redis', async () => {
    const cluster = await SmallCluster.start({ feeds: 'sim', sim_seed: '1', metrics_port: '0', redis_url: redis.url });
    ends.push(() => cluster.end());
    const standby = await cluster.standBy();
    const scrape = async (withStandby: boolean): Promise<Scrape> => [
      target('ingest', 'ingest-1', await scrapeOf(cluster.ingest.metricsUrl)),
      target('ingest', 'ingest-2', withStandby ? await scrapeOf(standby.metricsUrl) : null),
      target('gateway', 'gateway-1', await scrapeOf(cluster.gateway.metricsUrl)),
    ];
    const before = await scrape(true);
    await standby.stop();
    const alone = await scrape(false);
    await redis.kill();
    const isGone = async (): Promise<boolean> =>
      (await scrapeOf(cluster.ingest.metricsUrl)).includes('\ntickwire_ingest_active 0\n');
    await waitUntil(isGone, 'the lease has ended');
    const without = await scrape(false);
    await redis.start();
    const noStandby = ['TickwireNoStandby', 'TickwireProcessDown'];
    const wanted = [
      [],
      ['TickwireProcessDown'],
      ['TickwireProcessDown'],
      noStandby,
      ['TickwireLimitsAlone', 'TickwireNoActiveIngest', ...noStandby],
    ];
    expect(await alertsOf([before, alone, alone, alone, without], wanted)).toBe('as wanted');
  });
});
