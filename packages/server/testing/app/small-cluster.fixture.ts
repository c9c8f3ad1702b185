// An ingest node and its gateways in this process, with a database of their own and the Redis server of the tests.
import { rmSync } from 'node:fs';
import type { App } from '../../src/app/app.ts';
import { startGateway } from '../../src/app/gateway-node.ts';
import { startIngest } from '../../src/app/ingest-node.ts';
import { RedisLink } from '../../src/cluster/redis-link.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openFeeds } from '../../src/market/feeds/open-feeds.ts';
import { silentLog } from '../../src/ops/log.ts';
import { postgresForTests, redisForTests } from '../external-services.fixture.ts';
import { type Settings, temporaryFolder } from '../service.fixture.ts';
import { type TestDatabase, testDatabase } from '../store/postgres-database.fixture.ts';

const server = await postgresForTests();
const redis = await redisForTests();
/** Whether PostgreSQL and Redis are there. */
export const canRunCluster = server !== null && redis !== null;

export class SmallCluster {
  ingest: App;
  readonly gateways: App[];
  readonly #name: string;
  readonly #database: TestDatabase;
  readonly #folders: readonly string[];
  readonly #startGateway: () => Promise<App>;
  readonly #startIngest: () => Promise<App>;

  private constructor(
    nodes: Pick<SmallCluster, 'ingest' | 'gateways'>,
    name: string,
    database: TestDatabase,
    folders: readonly string[],
    startAnother: () => Promise<App>,
    startStandby: () => Promise<App>,
  ) {
    this.ingest = nodes.ingest;
    this.gateways = nodes.gateways;
    this.#name = name;
    this.#database = database;
    this.#folders = folders;
    this.#startGateway = startAnother;
    this.#startIngest = startStandby;
  }

  /** Resolves when every node has reported that it runs. The gateways share a data folder. */
  static async start(
    settings: Readonly<Record<string, string>>,
    gatewayCount = 1,
    gatewaySettings: Readonly<Record<string, string>> = {},
  ): Promise<SmallCluster> {
    const name = `test-${crypto.randomUUID().slice(0, 8)}`;
    const database = await testDatabase(server!);
    const [ingestData, gatewayData] = [temporaryFolder(), temporaryFolder()];
    const config = (role: string, data: string) => {
      const cluster = { database_url: database.url, redis_url: redis!, cluster_name: name };
      const own = role === 'gateway' ? gatewaySettings : {};
      const flags = { role, data, port: '0', metrics_port: 'off', news: 'none', ...cluster, ...settings, ...own };
      return loadConfig({ flags, env: {}, cwd: data });
    };
    const startStandby = (): Promise<App> => startIngest(config('ingest', ingestData), silentLog, openFeeds);
    const ingest = await startStandby();
    const never = new AbortController().signal;
    const startAnother = (): Promise<App> => startGateway(config('gateway', gatewayData), silentLog, never);
    const gateways = await Promise.all(Array.from({ length: gatewayCount }, startAnother));
    while ((await ingest.store.access.servicesBehind(Number.MAX_SAFE_INTEGER)) < gatewayCount + 1) await Bun.sleep(20);
    return new SmallCluster(
      { ingest, gateways },
      name,
      database,
      [ingestData, gatewayData],
      startAnother,
      startStandby,
    );
  }

  /** Settings with which another process joins the cluster. */
  get address(): Settings {
    return { database_url: this.#database.url, redis_url: redis!, cluster_name: this.#name };
  }

  /** Data folder of the ingest node. */
  get ingestData(): string {
    return this.#folders[0]!;
  }

  /** The only gateway, or the first. */
  get gateway(): App {
    return this.gateways[0]!;
  }

  /** Stops a gateway and starts another one in its place, with a replica of its own and another address. */
  async restartGateway(index: number): Promise<void> {
    await this.gateways[index]!.stop();
    this.gateways[index] = await this.#startGateway();
  }

  /** Starts another ingest node, which the caller stops. */
  standBy(): Promise<App> {
    return this.#startIngest();
  }

  /** Stops the ingest node while another one is on standby, which takes over. */
  async failOver(): Promise<void> {
    const standby = await this.standBy();
    await this.ingest.stop();
    this.ingest = standby;
    await standby.firstStart;
  }

  /** Stops the nodes and removes everything they stored. */
  async end(): Promise<void> {
    for (const app of [...this.gateways, this.ingest]) await app.stop();
    const keys = await this.redisKeys();
    const link = await this.#openLink();
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await this.#database.dispose();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  /** Names of everything that the cluster has in Redis. */
  async redisKeys(): Promise<readonly string[]> {
    const link = await this.#openLink();
    const keys = (await link.send(['KEYS', `{${this.#name}:*`])) as string[];
    link.close();
    return keys;
  }

  #openLink(): Promise<RedisLink> {
    return RedisLink.open({ url: redis!, name: this.#name, log: silentLog });
  }
}
