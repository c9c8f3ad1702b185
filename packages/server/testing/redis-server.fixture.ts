// A Redis server that belongs to a test, which may kill, restart, pause and empty it. Without a redis-server or valkey-server
// command such tests are skipped with a message.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { freePort } from './free-port.fixture.ts';
import { reportSkipped } from './skipped.fixture.ts';

const START_MS = 60_000;

/** The command that starts a server; `null` if there is none. */
export function redisCommand(): string | null {
  const found = Bun.which('redis-server') ?? Bun.which('valkey-server');
  if (found) return found;
  reportSkipped('tests that restart Redis', 'redis-server or valkey-server is not installed');
  return null;
}

export class OwnRedis {
  readonly port: number;
  readonly #command: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tickwire-redis-'));
  readonly #persistent: boolean;
  #process: Subprocess | null = null;

  private constructor(command: string, port: number, persistent: boolean) {
    this.#command = command;
    this.port = port;
    this.#persistent = persistent;
  }

  /** `persistent`: data survives a restart, except for about the last second. */
  static async start(command: string, persistent = false): Promise<OwnRedis> {
    const redis = new OwnRedis(command, await freePort(), persistent);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process!.pid;
  }

  async start(): Promise<void> {
    const deadline = Date.now() + START_MS;
    this.#process = Bun.spawn(
      [
        this.#command,
        ...['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.#folder],
        ...['--appendonly', this.#persistent ? 'yes' : 'no', '--appendfsync', 'everysec'],
      ],
      { stdout: 'ignore', stderr: 'ignore' },
    );
    while (!(await this.#answers())) {
      if (Date.now() > deadline || this.#process.exitCode !== null)
        throw new Error('the Redis server of the test does not start');
      await Bun.sleep(20);
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
  }

  /** Kills it and deletes its data. */
  async lose(): Promise<void> {
    await this.kill();
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { recursive: true });
  }

  /** From now on it accepts connections but does not respond. */
  pause(): void {
    process.kill(this.#process!.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#process!.pid, 'SIGCONT');
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    let heard = '';
    try {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: this.port,
        socket: {
          data(_, bytes) {
            heard += bytes.toString();
          },
        },
      });
      socket.write('PING\r\n');
      for (let wait = 0; wait < 20 && heard === ''; wait++) await Bun.sleep(10);
      socket.end();
    } catch {
      return false;
    }
    return heard.startsWith('+PONG');
  }
}
