// `npm run guide:check [PAGE…]` runs every code block of the site and of the README against a service with simulated markets.
// Pages are named by a part of their path. With --verbose, the output of each block is printed.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ALL_PAGES } from '../../packages/guide/src/contents.ts';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import { PageRunner, type Result, USUAL_POSTGRES } from './page-runner.ts';
import { startPostgres } from './postgres.ts';
import { createKey, createOwner, tickwire, waitUntilReady } from './service.ts';

const ROOT = resolve(import.meta.dir, '../..');

const isVerbose = process.argv.includes('--verbose');
const wanted = process.argv.slice(2).filter((word) => word !== '--verbose');
const sources = [...ALL_PAGES.map(({ source }) => source), 'README.md'].filter(
  (source) => wanted.length === 0 || wanted.some((part) => source.includes(part)),
);
if (sources.length === 0) {
  console.error(`no page is called ${wanted.join(' ')}`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'tickwire-guide-'));
const secrets = join(folder, 'first-start.txt');
const host = `127.0.0.1:${await freePort()}`;
const environment = {
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  LANG: 'C.UTF-8',
  PYTHONPATH: join(ROOT, 'python'),
  TICKWIRE_DATA: join(folder, 'data'),
  TICKWIRE_METRICS_PORT: 'off',
  // For services that a page starts.
  TICKWIRE_PORT: '0',
  TICKWIRE_URL: `http://${host}`,
};
mkdirSync(join(folder, 'bin'));
const commands = {
  // The command of this checkout, as if it were installed.
  tickwire: `exec ${tickwire().join(' ')} "$@"`,
  npx: `[ "$1" = tickwire ] && shift || { PATH='${process.env.PATH}'; exec npx "$@"; }; exec ${tickwire().join(' ')} "$@"`,
  // An error response is a failure, which curl itself does not report.
  curl: `PATH='${process.env.PATH}'
    for word; do case $word in --fail*|-f*|-[!-]*f*) exec curl "$@";; esac; done
    exec curl --fail-with-body "$@"`,
};
for (const [name, script] of Object.entries(commands)) {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

const service = Bun.spawn(tickwire('serve'), {
  cwd: folder,
  env: {
    ...environment,
    TICKWIRE_PORT: host.split(':')[1]!,
    TICKWIRE_LOG: 'warn',
    TICKWIRE_SIM_SEED: '1',
    TICKWIRE_DELIVERY_ALLOW_PRIVATE: 'true',
    TICKWIRE_SECRETS_FILE: secrets,
  },
  stdout: 'ignore',
  stderr: 'inherit',
});
let failed = 0;
try {
  await waitUntilReady(host, () => service.exitCode !== null);
  await createOwner(host, secrets);
  failed = await runPages({ ...environment, TICKWIRE_API_KEY: await createKey(environment) });
} finally {
  service.kill('SIGTERM');
  await service.exited;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

async function runPages(environment: Readonly<Record<string, string>>): Promise<number> {
  const counts = { ran: 0, checked: 0, text: 0, 'not run': 0, failed: 0 };
  const left: string[] = [];
  for (const source of sources) {
    const report = ({ line, outcome, reason = '', output = '' }: Result): void => {
      counts[outcome]++;
      if (isVerbose && output !== '') console.log(`${source}:${line}\n${output.slice(0, 5_000).replace(/^/gm, '  ')}`);
      if (outcome === 'not run') left.push(`  ${source}:${line}: ${reason}`);
      else if (outcome === 'failed') console.log(`FAILED ${source}:${line}\n${reason.replace(/^/gm, '  ')}`);
    };
    const before = { ...counts };
    const markdown = readFileSync(join(ROOT, source), 'utf8');
    const postgres = markdown.includes(USUAL_POSTGRES) ? await startPostgres() : null;
    await new PageRunner({ host, environment, postgresPort: postgres?.port }).run(markdown, report);
    postgres?.stop();
    const of = (kind: keyof typeof counts): number => counts[kind] - before[kind];
    if (of('ran') + of('checked') + of('not run') + of('failed') > 0)
      console.log(
        `${source}: ${of('ran')} run, ${of('checked')} checked, ${of('not run')} not run, ${of('failed')} failed`,
      );
  }
  if (left.length > 0) console.log(`Not run:\n${left.join('\n')}`);
  console.log(
    `${counts.ran} blocks run, ${counts.checked} outputs and files checked, ${counts['not run']} not run, ${counts.failed} failed`,
  );
  return counts.failed;
}
