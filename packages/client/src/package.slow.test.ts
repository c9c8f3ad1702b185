// The published package as a user installs it: contents, size, types, documentation, and streams in Node.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { preparedFolder } from 'tickwire/testing/prepared-folder.fixture.ts';
import { makeKey, type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { compile, PACKAGE, Project, WITH_WEBSOCKET, WITHOUT_WEBSOCKET } from '../testing/packed-project.ts';
import { documentationOf } from '../testing/public-declarations.ts';
import { TickwireClient } from './client.ts';

const MAX_BYTES = 17 * 1024;

let project: Project;
let service: RunningService;
let key: string;
beforeAll(async () => {
  const { data } = await preparedFolder();
  ({ key } = await makeKey(data, 'premium', ['read', 'alerts', 'publish', 'admin']));
  [project, service] = await Promise.all([Project.create(), startService({ data, sim_rate: '500' })]);
  project.environment = { TICKWIRE_URL: service.url, TICKWIRE_API_KEY: key };
  // The person who signs in in the readme.
  const token = new URL(service.app.setupUrl!).searchParams.get('token')!;
  const owner = { name: 'Ada', password: 'correct horse battery staple' };
  await new TickwireClient({ url: service.url }).account.setUp({ token, ...owner });
});
afterAll(async () => {
  await service.stop();
  for (const folder of [project.folder, service.folder]) rmSync(folder, { recursive: true, force: true });
});

const examples = ['README.md', '../../docs/reference/typescript.md'].flatMap((page) =>
  [...readFileSync(join(PACKAGE, page), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!),
);
/** Replaces the placeholders for the address and the key. */
const filledIn = (example: string): string => {
  const [url, apiKey] = ['http://127.0.0.1:8080', 'tw_…'];
  return example.replaceAll(url, service.url).replaceAll(apiKey, key);
};
const asScript = (text: string): string => new Bun.Transpiler({ loader: 'ts' }).transformSync(text);
const installedFiles = (): string[] =>
  readdirSync(project.installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.installed.length + 1));

describe('the package', () => {
  test('contains two scripts, types, a license and a readme, and nothing else', () => {
    const names = installedFiles();
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'index.d.ts', 'webhooks.js']),
    );
    const expected =
      /^(LICENSE|README\.md|package\.json|(index|webhooks)\.js|((common|rest|stream)\/)?[a-z-]+\.d\.ts)$/;
    expect(names.filter((name) => !expected.test(name))).toEqual([]);
  });

  test('has no dependencies, in its script or in its types', () => {
    const read = (name: string) => readFileSync(join(project.installed, name), 'utf8');
    const { dependencies, peerDependencies, optionalDependencies, engines } = JSON.parse(read('package.json'));
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
    expect(engines).toEqual({ node: '>=22' });
    for (const name of installedFiles().filter((each) => /\.(js|d\.ts)$/.test(each))) {
      const from = [...read(name).matchAll(/\b(?:from|import)\b\s*\(?"?'?([@\w./:-]+)["']/g)].map((match) => match[1]!);
      expect(from.filter((module) => !/^\.\.?\//.test(module))).toEqual([]);
    }
  });

  test('is small', async () => {
    const entrypoints = [join(project.installed, 'index.js')];
    const built = await Bun.build({ entrypoints, minify: true, target: 'browser' });
    const { length } = Bun.gzipSync(await built.outputs[0]!.text());
    expect(length).toBeLessThan(MAX_BYTES);
    expect(length).toBeGreaterThan(2_048);
  });

  test('has the same types as the contract, name by name', async () => {
    const folder = join(PACKAGE, 'dist', `same-${process.pid}`);
    const installed = readFileSync(join(project.installed, 'common/contract.d.ts'), 'utf8');
    // Parts of other objects have a type in the package only.
    const contract = join(PACKAGE, '../contract/src');
    const sources = [...new Glob('**/*.ts').scanSync(contract)].map((path) =>
      readFileSync(join(contract, path), 'utf8'),
    );
    const stated = new Set(
      sources.flatMap((text) => [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name)),
    );
    const names = [...installed.matchAll(/^export type (\w+)/gm)].filter(([, name]) => stated.has(name));
    const lines = names.map(([, name]) => `export const ${name}: Same<here.${name}, there.${name}> = true;`);
    expect(lines.length).toBeGreaterThan(200);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'same.ts'),
      `import type * as here from '${join(PACKAGE, 'src/common/contract.ts')}';
      import type * as there from '${join(project.installed, 'common/contract.d.ts')}';
      type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
      ${lines.join('\n')}`,
    );
    const config = { extends: '../../../../tsconfig.json', include: [], files: ['same.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(await compile(folder)).toEqual({ status: 0, out: '' });
    rmSync(folder, { recursive: true });
  });

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
        if ('pnl' in signal) { const reason: 'take_profit' | 'stop_loss' | 'manual' | 'expired' | 'unfilled' | 'voided' = signal.close_reason; console.log(reason); }
      // @ts-expect-error: no such timeframe
      client.market('A', { timeframe: '7m' });
      client.bars('A', { interval: '7m' });
      // @ts-expect-error: no such interval
      client.bars('A', { interval: '7 minutes' });
      // @ts-expect-error: no such interval
      client.followBars('A', { timeframe: '1D' });
      // @ts-expect-error: ticks need symbols
      client.live.ticks({});
      // @ts-expect-error: signals are never dropped
      client.live.signals({ overflow: 'latest' });
      client.keys.create({ name: 'bot', scopes: ['read'] as const }).then(({ key }) => key?.length);
      // @ts-expect-error: no such scope
      client.keys.create({ name: 'bot', scopes: ['write'] });
      // @ts-expect-error: the key may be null
      client.keys.create({ name: 'bot' }).then(({ key }) => key.length);
      // @ts-expect-error: no such field
      client.quote('A').then(({ price }) => price);
      `,
    );
    expect(await project.check(['consumer.ts'])).toEqual({ status: 0, out: '' });
  });
});

describe('the documentation of the declarations', () => {
  const documentation = () => documentationOf(project.installed);

  test('has a comment on every export, member and option', async () => {
    const { checked, undocumented } = await documentation();
    expect(undocumented).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });

  test('has an example for every method', async () => {
    expect((await documentation()).withoutExample).toEqual([]);
  });

  test('has examples whose types hold', async () => {
    const all = (await documentation()).examples;
    expect(all.length).toBeGreaterThan(80);
    const names = ['ClientOptions', 'LiveOptions', 'LiveStream', 'Stream', 'StreamOptions'];
    const files = all.map((example, index) => {
      const name = `doc-example-${index}.ts`;
      project.write(
        name,
        `import { CoreClient, createSigningKey, importSigningKey, Signer, TickwireClient, TickwireError, type NewSimpleCondition, type ${names.join(', type ')} } from '@tickwire/client';
        import { verifyWebhook } from '@tickwire/client/webhooks';
        export type Used = [typeof CoreClient, typeof TickwireError, typeof createSigningKey, typeof importSigningKey, typeof Signer, typeof verifyWebhook, NewSimpleCondition, ${names.map((each) => (each === 'ClientOptions' ? each : `${each}<'market'>`)).join(', ')}];
        declare const ticks: LiveStream<'market'>;
        declare const pkcs8: Uint8Array;
        declare const request: Request;
        ${example.includes('privateKey } =') || example.includes('privateKey,') || example.includes('const privateKey =') ? '' : `declare const privateKey: CryptoKey;`}
        ${example.includes('const signer =') ? '' : `declare const signer: Signer;`}
        ${example.includes('const client =') ? '' : `declare const client: TickwireClient;`}
        ${example.includes('const stream =') ? '' : `declare const stream: Stream<'market'>;`}
        ${example}`,
      );
      return name;
    });
    expect(await project.check(files)).toEqual({ status: 0, out: '' });
  });
});

describe('in Node', () => {
  beforeAll(() => {
    project.write(
      'work.js',
      `import { TickwireClient } from '@tickwire/client';
      const client = new TickwireClient({ url: '${service.url}', apiKey: '${key}' });
      const { count } = await client.symbols();
      let last = 0, read = 0;
      try {
        for await (const { seq, prev } of client.live.ticks({ symbols: ['EURUSD'], seq: true })) {
          if (last > 0 && prev !== last) throw new Error('lost');
          last = seq;
          if (++read === 20) break;
        }
      } catch (error) {
        console.log(String(error));
      }
      console.log(typeof WebSocket, count > 5, read);`,
    );
  });

  test('calls and streams work with the global WebSocket, which Node 22 has', async () => {
    const { status, out } = await project.node('work.js', WITH_WEBSOCKET);
    expect([status, out.trim()]).toEqual([0, 'function true 20']);
  });

  test('calls work without a WebSocket, as in Node 20, and streams throw a clear error', async () => {
    const { status, out } = await project.node('work.js', WITHOUT_WEBSOCKET);
    expect(status).toBe(0);
    expect(out).toContain('TypeError: Streams need a WebSocket, and this runtime has no global one. Use Node 22');
    expect(out).toContain('undefined true 0');
  });

  test('the version decides whether a WebSocket is there without a flag', async () => {
    const { out } = await project.run('node', '-p', 'process.versions.node + " " + typeof WebSocket');
    const [version = '', type] = out.trim().split(' ');
    expect(type).toBe(Number.parseInt(version, 10) >= 22 ? 'function' : 'undefined');
  });
});

describe('the readme', () => {
  test('has examples whose types hold', async () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    for (const [at, example] of examples.entries()) project.write(`example-${at}.ts`, filledIn(example));
    const { status, out } = await project.check(examples.map((_, at) => `example-${at}.ts`));
    expect(out).toBe('');
    expect(status).toBe(0);
  });

  test.each(examples.map((example, at) => [at, example]))('has an example %d that works', async (at, example) => {
    project.write(`example-${at}.js`, asScript(filledIn(example)));
    const { status, out } = await project.node(`example-${at}.js`);
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/\S/) });
    expect(out).not.toContain('missing');
  });
});
