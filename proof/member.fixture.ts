// One process of the cluster, with links of its own to PostgreSQL and Redis that can go bad.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import { freePort } from '../packages/server/src/testing/free-port.fixture.ts';
import type { Settings } from '../packages/server/src/testing/service.fixture.ts';
import { type StallingProxy, stallingProxy } from '../packages/server/src/testing/stalling-proxy.fixture.ts';

const MAIN = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url));
const NEXT = fileURLToPath(new URL('./next-release.fixture.ts', import.meta.url));

export interface MemberPlace {
  readonly role: 'ingest' | 'gateway';
  readonly name: string;
  readonly database: string;
  readonly redis: string;
  readonly settings: Settings;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export class Member {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly redis: StallingProxy;
  readonly postgres: StallingProxy;
  readonly #env: Record<string, string>;
  #process: Subprocess<'ignore', 'ignore', 'pipe'> | null = null;
  /** Everything it has written to its log, in all its lives. */
  said = '';

  private constructor(place: MemberPlace, port: number, redis: StallingProxy, postgres: StallingProxy) {
    this.name = place.name;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.redis = redis;
    this.postgres = postgres;
    const settings: Settings = {
      role: place.role,
      database_url: postgres.url,
      redis_url: redis.url,
      data: mkdtempSync(join(tmpdir(), `tickwire-${place.name}-`)),
      port: String(port),
      metrics_port: 'off',
      ...place.settings,
    };
    this.#env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`TICKWIRE_${name.toUpperCase()}`, value]),
    );
  }

  static async make(place: MemberPlace): Promise<Member> {
    const [redis, postgres] = await Promise.all([
      stallingProxy(place.redis, 6379),
      stallingProxy(place.database, 5432),
    ]);
    return new Member(place, await freePort(), redis, postgres);
  }

  /** Of all its lives so far. */
  get log(): LogLine[] {
    return this.said.split('\n').flatMap((line) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return [{ level: 'error', message: `not of the log: ${line}` }];
      }
    });
  }

  get data(): string {
    return this.#env.TICKWIRE_DATA!;
  }

  get running(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** `next`: as the next release. */
  start(next = false): void {
    const preload = next ? ['--preload', NEXT] : [];
    const child = Bun.spawn([process.execPath, ...preload, MAIN, 'serve'], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...this.#env,
        ...(next && { TICKWIRE_TEST_NEXT_RELEASE: '1' }),
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

  /** Stopped in order. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const status = await this.exited();
    if (status !== 0) throw new Error(`${this.name} ended with ${status}`);
  }

  /** The status it ends with by itself. */
  exited(): Promise<number> {
    return this.#process!.exited;
  }

  /** What `/readyz` says; null where nobody answers. */
  async ready(): Promise<{
    readonly status: number;
    readonly body: { status: string; checks: Record<string, string> };
  } | null> {
    try {
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      return { status: answer.status, body: (await answer.json()) as never };
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
    for await (const chunk of stream) this.said += decoder.decode(chunk, { stream: true });
  }
}
