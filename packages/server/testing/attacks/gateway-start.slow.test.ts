// A gateway restarts again and again while 200 signals are published per second. Each start is ready within five seconds (in the
// full run), lacks none of the signals, and ends when it is asked to, also in the middle.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIERS } from '@tickwire/contract';
import { createAccount, issueKey } from '../../src/access/issue-key.ts';
import { waitForServices } from '../../src/cli/wait-for-services.ts';
import { canRunCluster, SmallCluster } from '../app/small-cluster.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../process.fixture.ts';
import { BUY, EURO, TestMarket } from '../publisher.fixture.ts';
import { atScale } from '../scale.fixture.ts';
import { temporaryFolder } from '../service.fixture.ts';

const RESTARTS = atScale(2, 20);
const PER_SECOND = 200;
const PUBLISHERS = 20;
/** Signals are refused if the last quote is some minutes old. */
const QUOTE_MS = 20_000;
/** In CI, other work takes most of the machine. */
const READY_MS = atScale(30_000, 5_000);

/** Publishes at a steady rate until it is stopped. */
class Publications {
  accepted = 0;
  refusal: string | null = null;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(url: string, keys: readonly string[]) {
    this.#running = this.#run(url, keys);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(url: string, keys: readonly string[]): Promise<void> {
    const since = performance.now();
    let sent = 0;
    const open = new Set<Promise<void>>();
    while (!this.#stopped) {
      for (const due = ((performance.now() - since) / 1000) * PER_SECOND; sent < due && open.size < 64; sent++) {
        const request = this.#publish(url, keys[sent % keys.length]!).finally(() => open.delete(request));
        open.add(request);
      }
      await Bun.sleep(5);
    }
    await Promise.all(open);
  }

  async #publish(url: string, key: string): Promise<void> {
    const headers = { 'X-API-Key': key };
    const response = await fetch(`${url}/api/signals`, { method: 'POST', body: JSON.stringify(BUY), headers });
    const body = await response.text();
    if (response.status === 201) this.accepted++;
    else this.refusal = body;
  }
}

describe.skipIf(!canRunCluster)('a gateway that starts while signals are published', () => {
  const folder = temporaryFolder();
  let cluster: SmallCluster;
  let publications: Publications;
  let quotes: Timer;
  let key: string;
  beforeAll(async () => {
    const config = join(folder, 'tickwire.json');
    const unlimited = { ...TIERS.premium, requests_per_minute: 100_000, signals_per_day: 100_000 };
    await Bun.write(
      config,
      JSON.stringify({ tiers: { premium: { ...unlimited, active_signals_per_symbol: 100_000 } } }),
    );
    cluster = await SmallCluster.start({ feeds: 'push', config, max_active_signals: '100000' });
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const keyOf = async (name: string, scopes: string[]): Promise<string> => {
      const account = await createAccount(by, name, 'premium', true);
      return (await issueKey(by, { name, scopes, expiresAt: null, account })).key;
    };
    key = await keyOf('Prices', ['read', 'ingest']);
    const keys: string[] = [];
    for (let at = 0; at < PUBLISHERS; at++) keys.push(await keyOf(`Publisher ${at}`, ['publish']));
    await waitForServices(access, 'the keys');
    const market = await TestMarket.at(cluster.gateway.url, key);
    await market.quote(...EURO);
    quotes = setInterval(() => void market.quote(...EURO), QUOTE_MS);
    publications = new Publications(cluster.gateway.url, keys);
    await eventually('signals are published', () => publications.accepted > 100);
  });
  afterAll(async () => {
    clearInterval(quotes);
    await publications?.stop();
    await killLeftovers();
    await cluster.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const launch = (): ServiceProcess =>
    ServiceProcess.launch({
      ...cluster.address,
      ...{ role: 'gateway', feeds: 'push', data: folder, news: 'none', config: join(folder, 'tickwire.json') },
    });

  const newest = async (url: string): Promise<string[]> => {
    const response = await fetch(`${url}/api/signals?limit=500`, { headers: { 'X-API-Key': key } });
    return ((await response.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
  };

  const published = async (url: string): Promise<number> => {
    const response = await fetch(`${url}/api/publishers?limit=100`, { headers: { 'X-API-Key': key } });
    const { items } = (await response.json()) as { items: { signals: number }[] };
    return items.reduce((sum, { signals }) => sum + signals, 0);
  };

  test.each([0, 100, 400])('ends when it is asked to, %p ms into its start', async (ms) => {
    const gateway = launch();
    await eventually('it starts', () => gateway.err.includes('allowances are counted'));
    await Bun.sleep(ms);
    const { status, ms: took } = await gateway.stop();
    expect([status, took < READY_MS]).toEqual([0, true]);
  });

  test(`is ready within ${READY_MS} ms, ${RESTARTS} times, and has every signal`, async () => {
    const times: number[] = [];
    const [since, before] = [performance.now(), publications.accepted];
    let gateway: ServiceProcess | null = null;
    while (times.length < RESTARTS) {
      if (gateway) expect((await gateway.stop()).status).toBe(0);
      const started = performance.now();
      gateway = launch();
      await gateway.ready();
      times.push(Math.round(performance.now() - started));
    }
    const rate = ((publications.accepted - before) * 1000) / (performance.now() - since);
    console.log(`ready after ${times.join(', ')} ms, while ${Math.round(rate)} signals were published per second`);
    await publications.stop();
    expect(publications.refusal).toBeNull();
    expect(Math.max(...times)).toBeLessThan(READY_MS);
    const { url } = gateway!;
    await eventually('it has every signal', async () => (await published(url)) === publications.accepted);
    const ids = await newest(url);
    expect(ids).toHaveLength(500);
    await eventually('both list the same', async () => Bun.deepEquals(await newest(cluster.gateway.url), ids));
    expect((await gateway!.stop()).status).toBe(0);
  });
});
