// A PostgreSQL server of its own for pages that need one.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';

export interface Postgres {
  readonly port: number;
  stop(): void;
}

/** The administrator is `postgres`, without a password. */
export async function startPostgres(): Promise<Postgres> {
  const bin = [...new Glob('*/bin').scanSync({ cwd: '/usr/lib/postgresql', onlyFiles: false })].sort().at(-1);
  if (!bin) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-postgres-'));
  const port = await freePort();
  // The server refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const id = (option: string): number => Number(Bun.spawnSync(['id', option, 'postgres']).stdout.toString());
    chownSync(folder, id('-u'), id('-g'));
  }
  chmodSync(folder, 0o700);
  const run = (command: string): void => {
    const line = `cd / && /usr/lib/postgresql/${bin}/${command}`;
    const words = isRoot ? ['su', 'postgres', '-s', '/bin/sh', '-c', line] : ['sh', '-c', line];
    const { exitCode, stderr } = Bun.spawnSync(words, { stdout: 'ignore' });
    if (exitCode !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run(`initdb -D ${folder}/data --auth=trust -U postgres -E UTF8 --no-locale`);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories=${folder}`;
  run(`pg_ctl -D ${folder}/data -w -o '${options}' -l ${folder}/log start`);
  return {
    port,
    stop: () => {
      run(`pg_ctl -D ${folder}/data -m immediate stop`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
