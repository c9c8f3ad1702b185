// The npm package `@tickwire/client` after `npm install` in an empty folder: in Node 22, Bun and Deno, and in a build of Vite. Its
// contents and types have a test of their own in packages/client.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningService, startService } from '../../packages/server/testing/service.fixture.ts';
import { blocksOf } from '../guide/blocks.ts';
import { wrongText } from '../guide/example-output.ts';
import { consumer, nodeFolder } from './consumers.fixture.ts';
import { type Ended, emptyFolder, install } from './installed.fixture.ts';
import { packClient } from './npm-packages.ts';

const MAX_TARBALL_BYTES = 120e3;
/** Minified by Vite, with all of the client. */
const MAX_BUILT_BYTES = 66e3;
/** How long a bot may wait for its alert. */
const BOT_MS = 30_000;
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc');

const out = emptyFolder();
const folder = emptyFolder();
let tarball: string;
let service: RunningService;
let program: string;

beforeAll(async () => {
  tarball = await packClient({ out });
  install(folder, [tarball]);
  service = await startService({ house: 'none', sim_rate: '500' });
  const { key } = await service.key('premium');
  program = `
const client = new TickwireClient({ url: '${service.url}', apiKey: '${key}' });
const { symbol } = await client.quote('EURUSD');
let read = 0;
for await (const tick of client.live.ticks({ symbols: [symbol] })) if (tick.bid > 0 && ++read === 3) break;
const failure = await client.quote('NOSUCH').catch((error) => error);
console.log([symbol, read, failure instanceof TickwireError && failure.code].join(' '));`;
  write('work.mjs', `import { TickwireClient, TickwireError } from '@tickwire/client';${program}`);
});
afterAll(async () => {
  await service?.stop();
  for (const each of [out, folder]) rmSync(each, { recursive: true, force: true });
});

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
/** Does not block, because the service runs in this process. */
const runHere = async (...command: string[]): Promise<Ended> => {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1' };
  const child = Bun.spawn(command, { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' });
  const [text, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out: (text + errors).trim() };
};
const node22 = (...args: string[]) => runHere(join(nodeFolder(22), 'node'), ...args);
const node24 = (...args: string[]) => runHere(join(nodeFolder(24), 'node'), ...args);
const bun = (...args: string[]) => runHere(process.execPath, ...args);
const WORKED = { status: 0, out: 'EURUSD 3 symbol_not_found' };

test('runs the bot of docs/start/typescript.md after the commands of that page, in Node 22', async () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/start/typescript.md'), 'utf8');
  const blocks = blocksOf(page);
  const listed = blocks.filter(({ directive }) => directive.kind === 'not run').map(({ text }) => text);
  const [installing = '', starting = '', shown = ''] = listed;
  const bot = blocks.filter(({ language }) => language === 'ts').at(-1)!.text;
  const stranger = emptyFolder();
  const { key } = await service.key('pro', ['read', 'alerts', 'publish']);
  writeFileSync(join(stranger, 'bot.ts'), bot);
  const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const env = {
    PATH: `${nodeFolder(22)}:${process.env.PATH}`,
    HOME: process.env.HOME ?? '',
    TICKWIRE_URL: service.url,
    TICKWIRE_API_KEY: key,
    ...npm,
  };
  const commands = installing.replace(/\S+\/dist\/tickwire-client-\*\.tgz/, tarball);
  expect(commands).toContain(tarball);
  const runThere = (script: string) =>
    Bun.spawn(['bash', '-ec', script], { cwd: stranger, env, stdout: 'pipe', stderr: 'inherit' });
  expect(await runThere(commands).exited).toBe(0);
  // A price may wander off the level that the bot watches. The next start watches another.
  let printed = '';
  for (let attempt = 0; attempt < 3 && !printed.includes('published sig_'); attempt++) {
    const child = runThere(`exec ${starting}`);
    const timer = setTimeout(() => child.kill('SIGINT'), BOT_MS);
    printed = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += chunk;
      if (printed.includes('published sig_')) child.kill('SIGINT');
    }
    clearTimeout(timer);
    expect(await child.exited).toBe(0);
  }
  expect(wrongText(shown, printed)).toBeNull();
  rmSync(stranger, { recursive: true });
});

test('is small', () => expect(statSync(tarball).size).toBeLessThan(MAX_TARBALL_BYTES));

describe('an installed client works', () => {
  test('in Node 22', async () => {
    expect(await node22('work.mjs')).toEqual(WORKED);
  });

  test('in Node 24', async () => {
    expect(await node24('work.mjs')).toEqual(WORKED);
  });

  test('in Bun', async () => {
    expect(await bun('work.mjs')).toEqual(WORKED);
  });

  test('in Deno, with access to the network only', async () => {
    const deno = ['node', consumer('deno/bin.cjs'), 'run', '--quiet', '--node-modules-dir=manual', '--allow-net'];
    expect(await runHere(...deno, 'work.mjs')).toEqual(WORKED);
  });

  test('in a build of Vite', async () => {
    write('app.ts', `import { TickwireClient, TickwireError } from '@tickwire/client';${program}`);
    write(
      'vite.config.mjs',
      `export default { build: { outDir: 'built', target: 'es2022', minify: true, lib: { entry: 'app.ts', formats: ['es'], fileName: 'app' } } };`,
    );
    const built = await runHere('node', consumer('vite/bin/vite.js'), 'build');
    expect({ status: built.status, out: built.out }).toEqual({ status: 0, out: expect.stringContaining('built in') });
    const [file] = readdirSync(join(folder, 'built'));
    expect(statSync(join(folder, 'built', file!)).size).toBeLessThan(MAX_BUILT_BYTES);
    expect(await node22(join('built', file!))).toEqual(WORKED);
  });
});

describe('a service that is not there', () => {
  const port = 1; // Nothing listens there.
  beforeAll(() =>
    write(
      'refused.mjs',
      `import { TickwireClient } from '@tickwire/client';
      const client = new TickwireClient({ url: 'http://127.0.0.1:${port}', apiKey: 'k' });
      const started = performance.now();
      const ticks = client.live.ticks({ symbols: ['EURUSD'] });
      let attempts = 0;
      for await (const { end } of ticks.states()) if (end && ++attempts === 2) ticks.close();
      console.log('closed', performance.now() - started < 8_000);`,
    ),
  );

  test.each([
    ['Node 22', node22],
    ['Node 24', node24],
    ['Bun', bun],
  ] as const)('is told at once in %s, with one warning, and tried again', async (_, run) => {
    const { status, out } = await run('refused.mjs');
    expect([
      status,
      out.match(/tickwire: the stream of market cannot connect to ws:.*Next attempt in/g)?.length,
    ]).toEqual([0, 1]);
    expect(out).toContain('closed true');
  });
});

describe('from CommonJS, as the readme says,', () => {
  const compile = (module: string, file: string): Promise<Ended> =>
    runHere('node', TSC, '--module', module, '--target', 'es2022', '--strict', '--noEmit', '--types', '', file);

  beforeAll(() => {
    write('static.cts', `import { TickwireClient } from '@tickwire/client';\nconsole.log(TickwireClient.name);\n`);
    write(
      'dynamic.cts',
      `import('@tickwire/client').then(({ TickwireClient }) => console.log(TickwireClient.name));\n`,
    );
  });

  test('Node 22 requires it', async () => {
    write('required.cjs', `console.log(require('@tickwire/client').TickwireClient.name);\n`);
    expect(await node22('--no-warnings', 'required.cjs')).toEqual({ status: 0, out: 'TickwireClient' });
  });

  test('TypeScript accepts an import with nodenext', async () => {
    expect(await compile('nodenext', 'static.cts')).toEqual({ status: 0, out: '' });
  });

  test('TypeScript with node16 reports TS1479, and accepts a dynamic import', async () => {
    const { status, out: reported } = await compile('node16', 'static.cts');
    expect([status !== 0, reported]).toEqual([true, expect.stringContaining('TS1479')]);
    expect(await compile('node16', 'dynamic.cts')).toEqual({ status: 0, out: '' });
  });
});
