// `npm run guide:check [PAGE…]` runs every code block of the site and of the README against a service with simulated markets.
// Pages are named by a part of their path. With --verbose, the output of each block is printed.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ALL_PAGES } from '../../packages/guide/src/contents.ts';
import { LiveVenues } from '../../packages/server/testing/feeds/live-venues.fixture.ts';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import { blocksOf } from './blocks.ts';
import { PageRunner, type Result, USUAL_POSTGRES } from './page-runner.ts';
import { startPostgres } from './postgres.ts';
import { createKeys, createOwner, tickwire, waitUntilReady } from './service.ts';

const ROOT = resolve(import.meta.dir, '../..');

/** Pages spend most of their time waiting. */
const PAGES_AT_A_TIME = 4;
/** The longest page is run first. */
const FIRST = ['docs/operating.md'];
const isVerbose = process.argv.includes('--verbose');
const wanted = process.argv.slice(2).filter((word) => word !== '--verbose');
const sources = [...ALL_PAGES.map(({ source }) => source), 'README.md'].filter(
  (source) => wanted.length === 0 || wanted.some((part) => source.includes(part)),
);
if (sources.length === 0) {
  console.error(`no page is called ${wanted.join(' ')}`);
  process.exit(1);
}

/** Blocks by what became of them. */
class Counts {
  ran = 0;
  checked = 0;
  'not run' = 0;
  failed = 0;

  get all(): number {
    return this.ran + this.checked + this['not run'] + this.failed;
  }

  add(other: Counts): void {
    this.ran += other.ran;
    this.checked += other.checked;
    this['not run'] += other['not run'];
    this.failed += other.failed;
  }

  toString(): string {
    return `${this.ran} run, ${this.checked} outputs and files checked, ${this['not run']} not run, ${this.failed} failed`;
  }
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
  // Debian's, which has the packages that ours needs.
  python3: 'exec /usr/bin/python3 "$@"',
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
    // Bots react to prices: more of them, so that they wait less.
    TICKWIRE_SIM_RATE: '500',
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
  failed = await runPages(await createKeys(environment, sources.length));
} finally {
  service.kill('SIGTERM');
  await service.exited;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

/** Each page has an account of its own, so that its limits are not shared. */
async function runPages(keys: readonly string[]): Promise<number> {
  const total = new Counts();
  const left: string[] = [];
  const waiting = sources.map((source, at) => ({ source, key: keys[at]!, ...readPage(source) }));
  waiting.sort((a, b) => Number(FIRST.includes(b.source)) - Number(FIRST.includes(a.source)));
  const inUse = new Set<string>();
  const takePage = () => {
    const at = waiting.findIndex(({ uses }) => uses.every((each) => !inUse.has(each)));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const runSome = async (): Promise<void> => {
    while (waiting.length > 0) {
      const page = takePage();
      if (!page) {
        await Bun.sleep(100);
        continue;
      }
      const { source, markdown, key, uses } = page;
      const started = performance.now();
      for (const each of uses) inUse.add(each);
      const { counts, notRun } = await runPage(source, markdown, { ...environment, TICKWIRE_API_KEY: key });
      for (const each of uses) inUse.delete(each);
      total.add(counts);
      left.push(...notRun);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (counts.all > 0) console.log(`${source}: ${counts}, ${seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_A_TIME }, runSome));
  if (left.length > 0) console.log(`Not run:\n${left.sort().join('\n')}`);
  console.log(`All blocks: ${total}`);
  return total.failed;
}

/** A page, and what only one page at a time may use: ports, the computation of long histories, and the signing key. */
function readPage(source: string): { readonly markdown: string; readonly uses: readonly string[] } {
  const markdown = readFileSync(join(ROOT, source), 'utf8');
  const code = blocksOf(markdown)
    .filter(({ directive }) => directive.kind !== 'not run')
    .map(({ text }) => text)
    .join('\n');
  const ports = [...code.matchAll(/(?:127\.0\.0\.1(?::|", )|PORT=|http\.server |listen\()(\d{4})\b/g)].map(
    ([, port]) => port!,
  );
  const isLong = /format=(?:parquet|csv)|bars_frame|export bars/.test(code);
  // Pages sign in as the same person, who has one signing key.
  const signs = /set_signing_key|setSigningKey/.test(code);
  const uses = [
    ...ports.filter((port) => port !== '8080'),
    ...(isLong ? ['history'] : []),
    ...(signs ? ['signing'] : []),
  ];
  return { markdown, uses: [...new Set(uses)] };
}

/** Whether a block starts a service with real markets: here, with fakes of their venues. */
function startsLive(markdown: string): boolean {
  return blocksOf(markdown).some(({ directive, text }) => directive.kind === 'service' && text.includes('--live'));
}

function venuesFile({ settings }: LiveVenues): string {
  const path = join(folder, 'venues.json');
  writeFileSync(path, JSON.stringify({ venues: settings }));
  return path;
}

async function runPage(
  source: string,
  markdown: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ counts: Counts; notRun: string[] }> {
  const counts = new Counts();
  const notRun: string[] = [];
  const report = ({ line, outcome, reason = '', output = '', seconds = 0 }: Result): void => {
    counts[outcome]++;
    if (isVerbose)
      console.log(`${source}:${line} (${seconds.toFixed(1)} s)\n${output.slice(0, 5_000).replace(/^/gm, '  ')}`);
    if (outcome === 'not run') notRun.push(`  ${source}:${line}: ${reason}`);
    else if (outcome === 'failed') console.log(`FAILED ${source}:${line}\n${reason.replace(/^/gm, '  ')}`);
  };
  const postgres = markdown.includes(USUAL_POSTGRES) ? await startPostgres() : null;
  await using venues = startsLive(markdown) ? new LiveVenues() : null;
  const settings = venues && venuesFile(venues);
  const adapted = { ...environment, ...(settings && { TICKWIRE_CONFIG: settings }) };
  try {
    await new PageRunner({ host, environment: adapted, postgresPort: postgres?.port }).run(markdown, report);
  } finally {
    postgres?.stop();
  }
  return { counts, notRun };
}
