// A PostgreSQL server of the test, in a temporary folder, which the test can restart. `null` if its programs are not installed.
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../packages/server/testing/free-port.fixture.ts';

const INSTALLED = '/usr/lib/postgresql';

export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #programs: string;
  readonly #as: readonly string[];

  private constructor(programs: string, folder: string, port: number, as: readonly string[]) {
    this.#programs = programs;
    this.#folder = folder;
    this.#port = port;
    this.#as = as;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  static async start(): Promise<PostgresServer | null> {
    const programs = installed();
    if (programs === null) return null;
    const folder = mkdtempSync(join(tmpdir(), 'tickwire-postgres-'));
    const as = await somebodyElse(folder);
    if (as === null) return null;
    const postgres = new PostgresServer(programs, folder, await freePort(), as);
    await postgres.#run('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync']);
    await postgres.start();
    return postgres;
  }

  async start(): Promise<void> {
    const settings = [
      ...['-p', String(this.#port), '-c', 'listen_addresses=127.0.0.1'],
      ...['-c', `unix_socket_directories=${this.#folder}`, '-c', 'max_connections=200'],
    ].join(' ');
    const log = join(this.#folder, 'server.log');
    await this.#run('pg_ctl', ['-D', this.#folder, '-w', '-l', log, '-o', settings, 'start']);
  }

  /** Like a power cut: connections just break, and the next start recovers from the log. */
  async kill(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.#folder, '-w', '-m', 'immediate', 'stop']);
  }

  async end(): Promise<void> {
    await this.kill().catch(() => {});
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = Bun.spawn([...this.#as, join(this.#programs, program), ...args], {
      cwd: this.#folder,
      stdin: 'ignore',
      // Not a pipe: the server that pg_ctl starts would keep it open.
      stdout: 'ignore',
      stderr: 'ignore',
    });
    const status = await child.exited;
    if (status !== 0) throw new Error(`${program} of PostgreSQL ended with ${status}`);
  }
}

function installed(): string | null {
  const found = Bun.which('pg_ctl');
  if (found) return join(found, '..');
  if (!existsSync(INSTALLED)) return null;
  const newest = readdirSync(INSTALLED)
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => b - a)[0];
  return newest === undefined ? null : join(INSTALLED, String(newest), 'bin');
}

/** PostgreSQL does not run as root, so the folder is given to the postgres user. */
async function somebodyElse(folder: string): Promise<readonly string[] | null> {
  if (process.getuid?.() !== 0) return [];
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (what) => Number(await Bun.$`id ${what} postgres`.nothrow().text())),
  );
  if (!uid || !gid || !Bun.which('setpriv')) return null;
  chownSync(folder, uid, gid);
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}
