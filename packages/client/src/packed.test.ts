// The package as a stranger gets it: small, alone, typed, and at work in plain Node.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparedFolder } from 'tickwire/src/testing/prepared.fixture.ts';
import { makeKey, type RunningService, startService } from 'tickwire/src/testing/service.fixture.ts';
import { compile, PACKAGE, Project } from './packed.fixture.ts';

const LARGEST_BYTES = 12 * 1024;

let project: Project;
let service: RunningService;
let key: string;
beforeAll(async () => {
  const { data } = await preparedFolder();
  ({ key } = await makeKey(data, 'premium', ['read', 'publish', 'admin']));
  [project, service] = await Promise.all([Project.make(), startService({ data, sim_rate: '500' })]);
}, 60_000);
afterAll(async () => {
  await service.stop();
  for (const folder of [project.folder, service.folder]) rmSync(folder, { recursive: true, force: true });
});

const examples = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
  (match) => match[1]!,
);
/** With this service and this key in place of those it shows. */
const filledIn = (example: string): string => {
  const [url, apiKey] = ['http://127.0.0.1:8080', 'tw_…'];
  expect(example).toContain(url);
  expect(example).toContain(apiKey);
  return example.replaceAll(url, service.url).replaceAll(apiKey, key);
};
const asScript = (text: string): string => new Bun.Transpiler({ loader: 'ts' }).transformSync(text);

describe('the package', () => {
  test('has scripts, types, a license and a readme in it, and nothing else', () => {
    const names = readdirSync(project.installed);
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'index.d.ts', 'node.js']),
    );
    expect(
      names.filter((name) => !/^(LICENSE|README\.md|package\.json|(index|node)\.js|[a-z-]+\.d\.ts)$/.test(name)),
    ).toEqual([]);
  });

  test('depends on nothing, at run time or in its types', () => {
    const read = (name: string) => readFileSync(join(project.installed, name), 'utf8');
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(read('package.json'));
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
    for (const name of readdirSync(project.installed).filter((each) => /\.(js|d\.ts)$/.test(each))) {
      const from = [...read(name).matchAll(/(?:from|import)\s*\(?"?'?([@\w./:-]+)["']/g)].map((match) => match[1]!);
      const allowed = name === 'node.js' ? /^\.\/|^node:/ : /^\.\//;
      expect(from.filter((module) => !allowed.test(module))).toEqual([]);
    }
  });

  test.each(['index.js', 'node.js'])('%s is small', async (name) => {
    const target = name === 'node.js' ? 'node' : 'browser';
    const built = await Bun.build({ entrypoints: [join(project.installed, name)], minify: true, target });
    const { length } = Bun.gzipSync(await built.outputs[0]!.text());
    expect(length).toBeLessThan(LARGEST_BYTES);
    expect(length).toBeGreaterThan(2_048);
  });

  test('has types that say what the contract says, name by name', async () => {
    const folder = join(PACKAGE, 'dist', `same-${process.pid}`);
    const names = [
      ...readFileSync(join(PACKAGE, 'src/contract.ts'), 'utf8').matchAll(/^(?: {2}|export type )(\w+)(?:,| =)/gm),
    ];
    const lines = names.map(([, name]) => `export const ${name}: Same<here.${name}, there.${name}> = true;`);
    expect(lines.length).toBeGreaterThan(50);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'same.ts'),
      `import type * as here from '${join(PACKAGE, 'src/contract.ts')}';
      import type * as there from '${join(project.installed, 'contract.d.ts')}';
      type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
      ${lines.join('\n')}`,
    );
    const config = { extends: '../../../../tsconfig.json', include: [], files: ['same.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(await compile(folder)).toEqual({ status: 0, out: '' });
    rmSync(folder, { recursive: true });
  }, 30_000);

  test('has types that a strict consumer can use, and cannot misuse', async () => {
    project.write(
      'consumer.ts',
      `import { TickwireClient, type Gap, type MarketTick, type Timeframe } from '@tickwire/client';
      const client = new TickwireClient({ url: 'http://127.0.0.1', apiKey: 'k' });
      const timeframe: Timeframe = '4h';
      export const close: Promise<number | undefined> = client.market('A', { timeframe }).then(({ ohlcv }) => ohlcv[0]?.close);
      export const tick: MarketTick = { symbol: 'A', bid: 1, ask: 2, spread: 1, time: 1, volume: 0 };
      export const gaps: Gap[] = [];
      for await (const signal of client.live.signals({ closes: true }))
        if ('pnl' in signal) { const reason: 'take_profit' | 'stop_loss' | 'manual' | 'expired' | 'unfilled' = signal.close_reason; console.log(reason); }
      // @ts-expect-error: no such timeframe
      client.market('A', { timeframe: '7m' });
      // @ts-expect-error: ticks need symbols
      client.live.ticks({});
      // @ts-expect-error: signals are never thinned out
      client.live.signals({ overflow: 'latest' });
      client.keys.create({ name: 'bot', scopes: ['read'] as const }).then(({ key }) => key?.length);
      // @ts-expect-error: no such scope
      client.keys.create({ name: 'bot', scopes: ['write'] });
      // @ts-expect-error: a key that may not be there
      client.keys.create({ name: 'bot' }).then(({ key }) => key.length);
      // @ts-expect-error: no such field
      client.quote('A').then(({ price }) => price);
      `,
    );
    expect(await project.check(['consumer.ts'])).toEqual({ status: 0, out: '' });
  }, 30_000);
});

describe('in plain Node', () => {
  test.each([
    ['none', '--no-experimental-websocket'],
    ['one', '--experimental-websocket'],
  ])(
    'calls and streams work where it has %s of its own',
    async (which, flag) => {
      project.write(
        'work.js',
        `import { TickwireClient } from '@tickwire/client';
      const client = new TickwireClient({ url: '${service.url}', apiKey: '${key}' });
      const { count } = await client.symbols();
      let last = 0, read = 0;
      for await (const { seq, prev } of client.live.ticks({ symbols: ['EURUSD'], seq: true })) {
        if (last > 0 && prev !== last) throw new Error('lost');
        last = seq;
        if (++read === 20) break;
      }
      console.log(typeof WebSocket, count > 5, read);`,
      );
      const { status, out } = await project.node('work.js', flag, '--no-warnings');
      expect([status, out.trim()]).toEqual([0, `${which === 'none' ? 'undefined' : 'function'} true 20`]);
    },
    20_000,
  );
});

describe('the readme', () => {
  test('has examples whose types hold', async () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    for (const [at, example] of examples.entries()) project.write(`example-${at}.ts`, filledIn(example));
    const { status, out } = await project.check(examples.map((_, at) => `example-${at}.ts`));
    expect(out).toBe('');
    expect(status).toBe(0);
  }, 30_000);

  test.each(examples.map((example, at) => [at, example]))(
    'has an example %d that works',
    async (at, example) => {
      project.write(`example-${at}.js`, asScript(filledIn(example)));
      const { status, out } = await project.node(`example-${at}.js`);
      expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/\S/) });
      expect(out).not.toContain('missing');
    },
    20_000,
  );
});
