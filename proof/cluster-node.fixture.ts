// One process of the cluster. It reaches PostgreSQL and Redis through its own proxies, which can fail.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import { freePort } from '../packages/server/testing/free-port.fixture.ts';
import type { Settings } from '../packages/server/testing/service.fixture.ts';
import { type StallingProxy, stallingProxy } from '../packages/server/testing/stalling-proxy.fixture.ts';

const MAIN = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url));
const SKEW = fileURLToPath(new URL('./clock-skew.fixture.ts', import.meta.url));
const NEXT = fileURLToPath(new URL('./next-release.fixture.ts', import.meta.url));

export interface ClusterNodeOptions {
  readonly role: 'ingest' | 'gateway';
  readonly name: string;
  readonly database: string;
  readonly redis: string;
  readonly settings: Settings;
  /** How far its clock is ahead of that of the test, in ms. Default 0. */
  readonly skewMs?: number;
}

export interface NodeLogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export class ClusterNode {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly redis: StallingProxy;
  readonly postgres: StallingProxy;
  /** For gateways; of an ingest node only. */
  readonly linkPort: number;
  readonly #env: Record<string, string>;
  readonly #skewMs: number;
  #process: Subprocess<'ignore', 'ignore', 'pipe'> | null = null;
  /** Its log output, over all its starts. */
  output = '';

  private constructor(
    options: ClusterNodeOptions,
    [port, linkPort]: readonly [number, number],
    redis: StallingProxy,
    postgres: StallingProxy,
  ) {
    this.name = options.name;
    this.port = port;
    this.linkPort = linkPort;
    this.#skewMs = options.skewMs ?? 0;
    this.url = `http://127.0.0.1:${port}`;
    this.redis = redis;
    this.postgres = postgres;
    const settings: Settings = {
      role: options.role,
      database_url: postgres.url,
      redis_url: redis.url,
      data: mkdtempSync(join(tmpdir(), `tickwire-${options.name}-`)),
      port: String(port),
      link_port: String(linkPort),
      metrics_port: 'off',
      sim_seed: '1',
      ...options.settings,
    };
    this.#env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`TICKWIRE_${name.toUpperCase()}`, value]),
    );
  }

  static async create(options: ClusterNodeOptions): Promise<ClusterNode> {
    const [redis, postgres] = await Promise.all([
      stallingProxy(options.redis, 6379),
      stallingProxy(options.database, 5432),
    ]);
    return new ClusterNode(options, [await freePort(), await freePort()], redis, postgres);
  }

  /** Log lines over all its starts. */
  get log(): NodeLogLine[] {
    return this.output.split('\n').flatMap((line) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line) as NodeLogLine];
      } catch {
        return [{ level: 'error', message: `not a log line: ${line}` }];
      }
    });
  }

  get data(): string {
    return this.#env.TICKWIRE_DATA!;
  }

  get running(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** `next`: run as the next release. */
  start(next = false): void {
    const preload = [...(next ? ['--preload', NEXT] : []), ...(this.#skewMs ? ['--preload', SKEW] : [])];
    const child = Bun.spawn([process.execPath, ...preload, MAIN, 'serve'], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...this.#env,
        ...(next && { TICKWIRE_TEST_NEXT_RELEASE: '1' }),
        ...(this.#skewMs && { TICKWIRE_TEST_CLOCK_SKEW_MS: String(this.#skewMs) }),
      },
    });
    this.#process = child;
    void this.#listen(child.stderr);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process!.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#process!.exited;
  }

  /** Stops it gracefully. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const status = await this.exited();
    if (status !== 0) throw new Error(`${this.name} ended with ${status}`);
  }

  /** Exit status, once it has ended. */
  exited(): Promise<number> {
    return this.#process!.exited;
  }

  /** Response of `/readyz`; `null` without a response. */
  async ready(): Promise<{
    readonly status: number;
    readonly body: { status: string; checks: Record<string, string> };
  } | null> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      return { status: response.status, body: (await response.json()) as never };
    } catch {
      return null;
    }
  }

  async end(): Promise<void> {
    if (this.running) {
      this.signal('SIGCONT');
      await this.kill();
    }
    await Promise.all([this.redis.stop(), this.postgres.stop()]);
  }

  async #listen(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.output += decoder.decode(chunk, { stream: true });
  }
}
