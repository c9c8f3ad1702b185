// Architecture rules that the compiler does not check: which package and which folder may import which, no import cycles,
// no fixtures in product code, and where the environment is read. Type-only imports count like any other.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Glob } from 'bun';

const ROOT = resolve(import.meta.dir, '..');

/** A package may import itself and the packages listed here. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sentiment: [],
  engine: ['contract'],
  client: ['contract'],
  // Some files of the contract have no schemas: browsers load them.
  terminal: [
    'client',
    'contract',
    'contract/client-calls.ts',
    'contract/durations.ts',
    'contract/literals.ts',
    'contract/plural.ts',
    'contract/symbol-pattern.ts',
    'contract/symbol-sentiment.ts',
    'contract/timeframes.ts',
  ],
  guide: [],
  // The example publishers are ordinary clients: they see the public interface and nothing else.
  house: ['client', 'contract'],
  // The server serves the terminal's page as a file and starts the example publishers; it imports no other code of theirs.
  server: [
    'engine',
    'contract',
    'contract/client-calls.ts',
    'contract/literals.ts',
    'terminal/index.html',
    'terminal/public-record.html',
    'terminal/push-worker.ts',
    'terminal/reference.ts',
    'guide/build.ts',
    'house',
    'sentiment',
  ],
};

/**
 * Folders of a package's `src`, top layer first. A file may import from its own folder and from folders further down.
 * Files directly in `src` (`index.ts`) may import everything.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  server: [
    'cli',
    'app',
    'pages',
    'mcp',
    'udf',
    'replay',
    'chat-channels',
    'alerts',
    'delivery',
    'signals',
    'news',
    'calendar',
    'ai',
    'import',
    'export',
    'history',
    'market',
    'accounts',
    'documents',
    'streams',
    'module',
    'cluster',
    'ws',
    'http',
    'access',
    'work',
    'journal',
    'store',
    'ops',
    'config',
    'errors',
  ],
  contract: [
    'documents',
    'stream',
    'service',
    'accounts',
    'chat-channels',
    'alerts',
    'ai',
    'replay',
    'signals',
    'calendar',
    'news',
    'market',
    'common',
  ],
  engine: ['alerts', 'signals', 'statistics', 'market'],
  terminal: [
    'app',
    'replay',
    'public-record',
    'markets',
    'publishers',
    'signals',
    'settings',
    'operator',
    'alerts',
    'calendar',
    'news',
    'sign-in',
    'palette',
    'reference',
    'chart',
    'watchlist',
    'order-flow',
    'services',
    'ui',
    'style',
  ],
};

/** Path from the root of the repository → source text. */
type Sources = ReadonlyMap<string, string>;

const PATTERNS = [
  'packages/*.ts',
  'packages/*/{src,testing,build,bin}/**/*.{ts,tsx}',
  '{bench,e2e,proof,deploy}/**/*.ts',
];

function readSources(): Sources {
  const paths = PATTERNS.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]);
  const own = paths.filter((path) => !path.includes('node_modules/'));
  return new Map(own.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

const isTest = (path: string): boolean =>
  /\.(test|fixture|suite)\.tsx?$/.test(path) || /^packages\/\w+\/testing\//.test(path);
const isProduct = (path: string): boolean => /^packages\/\w+\/(src|bin|build)\//.test(path) && !isTest(path);
const packageOf = (path: string): string => path.split('/')[1]!;

/** The module names a file imports, in `import`, `export … from`, `import type`, `import()` and `import.meta.resolve()`. */
function importsOf(source: string): string[] {
  const statement = /^(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;
  const call = /\bimport(?:\.meta\.resolve)?\(\s*'([^']+)'/g;
  return [...source.matchAll(statement), ...source.matchAll(call)].map((match) => (match[1] ?? match[2])!);
}

/** Every import between two files of the repository, as pairs of paths. */
function fileImports(sources: Sources): Map<string, string[]> {
  const targetOf = (path: string, name: string): string =>
    name.startsWith('tickwire/') ? `packages/server/${name.slice('tickwire/'.length)}` : join(dirname(path), name);
  return new Map(
    [...sources].map(([path, source]) => [
      path,
      importsOf(source)
        .filter((name) => name.startsWith('.') || name.startsWith('tickwire/'))
        .map((name) => targetOf(path, name))
        .filter((target) => sources.has(target)),
    ]),
  );
}

function packageViolations(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => isProduct(path))
    .flatMap(([path, source]) =>
      importsOf(source)
        .filter((name) => name.startsWith('@tickwire/'))
        .map((name) => name.slice('@tickwire/'.length))
        .filter((target) => target !== packageOf(path) && !PACKAGES[packageOf(path)]!.includes(target))
        .map((target) => `${path} imports ${target}`),
    );
}

function layerViolations(sources: Sources): string[] {
  const rankOf = (path: string): number => {
    const [, name, , folder, ...rest] = path.split('/');
    if (rest.length === 0) return -1;
    return LAYERS[name!]!.indexOf(folder!);
  };
  const imports = fileImports(sources);
  return [...imports]
    .filter(([path]) => isProduct(path) && path.split('/')[2] === 'src' && packageOf(path) in LAYERS)
    .flatMap(([path, targets]) => {
      const rank = rankOf(path);
      if (rank === -1 && path.split('/').length > 4) return [`${path} is in no layer`];
      return targets.filter((target) => rankOf(target) < rank).map((target) => `${path} imports ${target}`);
    });
}

/** The kernels of HTTP and of streams may import these folders only. */
const BELOW_KERNELS = ['access', 'work', 'journal', 'store', 'errors', 'config', 'ops'];

function kernelViolations(sources: Sources): string[] {
  const folderOf = (path: string): string => path.match(/^packages\/server\/src\/([\w-]+)\//)?.[1] ?? '';
  return [...fileImports(sources)]
    .filter(([path]) => isProduct(path) && ['http', 'ws'].includes(folderOf(path)))
    .flatMap(([path, targets]) =>
      targets
        .filter((target) => folderOf(target) !== folderOf(path) && !BELOW_KERNELS.includes(folderOf(target)))
        .map((target) => `${path} imports ${target}`),
    );
}

/**
 * Folders of the chart, top layer first. The other folders and the files beside them are the parts of the chart and what puts them
 * together; they may import all of these.
 */
const CHART_LAYERS = ['frame', 'layers', 'bars'];

function chartViolations(sources: Sources): string[] {
  const rankOf = (path: string): number =>
    CHART_LAYERS.indexOf(path.match(/^packages\/terminal\/src\/chart\/([\w-]+)\//)?.[1] ?? '');
  return [...fileImports(sources)]
    .filter(([path]) => isProduct(path) && rankOf(path) >= 0)
    .flatMap(([path, targets]) =>
      targets
        .filter((target) => target.startsWith('packages/terminal/src/chart/') && rankOf(target) < rankOf(path))
        .map((target) => `${path} imports ${target}`),
    );
}

function fixtureViolations(sources: Sources): string[] {
  return [...fileImports(sources)]
    .filter(([path]) => isProduct(path))
    .flatMap(([path, targets]) => targets.filter(isTest).map((target) => `${path} imports ${target}`));
}

/** Each group of files that import each other, directly or not (Tarjan's strongly connected components). */
function importCycles(sources: Sources): string[][] {
  const imports = fileImports(sources);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    low.set(path, order.get(path)!);
    stack.push(path);
    for (const target of imports.get(path)!) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(path, Math.min(low.get(path)!, low.get(target)!));
    }
    if (low.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || imports.get(path)!.includes(path)) cycles.push(group.sort());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return cycles;
}

/** Source without comments. */
const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

/** Product files directly in one folder. */
const MAX_FILES = 40;

const sources = readSources();
const productFiles = [...sources].filter(([path]) => isProduct(path));
const filesMatching = (files: readonly (readonly [string, string])[], pattern: RegExp): string[] =>
  files.filter(([, source]) => pattern.test(withoutComments(source))).map(([path]) => path);

describe('layers', () => {
  test('finds the sources of every package', () => {
    expect(sources.size).toBeGreaterThan(1_000);
    expect([...new Set(productFiles.map(([path]) => packageOf(path)))].sort()).toEqual(Object.keys(PACKAGES).sort());
  });

  test('imports between packages only point down', () => expect(packageViolations(sources)).toEqual([]));

  test('no relative import leaves its package', () => {
    const wrong = productFiles.flatMap(([path, source]) =>
      importsOf(source)
        .filter((name) => name.startsWith('.'))
        // Documents of the project are imported as texts.
        .filter((name) => !/^docs\/reference\/[a-z-]+\.md$/.test(join(dirname(path), name)))
        .filter((name) => !join(dirname(path), name).startsWith(`packages/${packageOf(path)}/`))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('imports between the folders of a package only point down', () => expect(layerViolations(sources)).toEqual([]));

  test('the transport kernels know no domain, and not each other', () => expect(kernelViolations(sources)).toEqual([]));

  test('bars of the chart know no drawing, layers no frame, and the frame no part', () =>
    expect(chartViolations(sources)).toEqual([]));

  test('no folder has more than 40 files of its own', () => {
    const folders = Map.groupBy(productFiles, ([path]) => dirname(path));
    const large = [...folders].filter(([, files]) => files.length > MAX_FILES);
    expect(large.map(([folder]) => folder)).toEqual([]);
  });

  test('no files import each other in a cycle', () => expect(importCycles(sources)).toEqual([]));

  test('product code imports no fixture', () => expect(fixtureViolations(sources)).toEqual([]));

  test('no fixture lies in src', () =>
    expect([...sources.keys()].filter((path) => /\/src\/.*\.(fixture|suite)\.tsx?$/.test(path))).toEqual([]));

  test('the engine has no I/O and no clock', () => {
    const forbidden = /\bDate\b|\bprocess\b|\bBun\b|\bperformance\b|setTimeout|setInterval|Math\.random|'node:|'bun/;
    const engine = productFiles.filter(([path]) => packageOf(path) === 'engine');
    expect(filesMatching(engine, forbidden)).toEqual([]);
  });

  test('signals are judged and verified without trading hours, so a corrected calendar changes no verdict', () => {
    const judging = productFiles.filter(([path]) =>
      /^packages\/(engine\/src\/(?!alerts\/)|server\/src\/signals\/verify\/)/.test(path),
    );
    const users = filesMatching(judging, /isMarketOpen|nextSessionChange|tradingSessions|trading-hours/);
    expect(users.filter((path) => !path.startsWith('packages/engine/src/market/'))).toEqual([
      'packages/engine/src/index.ts',
    ]);
  });

  test('the environment is read in one file of the service, and one of the client', () => {
    const source = productFiles.filter(([path]) => /^packages\/\w+\/src\//.test(path));
    expect(filesMatching(source, /process\.env|Bun\.env|import\.meta\.env/).sort()).toEqual([
      'packages/client/src/environment.ts',
      'packages/server/src/config/config.ts',
    ]);
  });

  test('files beside the code are imported, so that packages contain them', () => {
    const source = productFiles.filter(([path]) => /^packages\/(server|house|engine|contract)\/src\//.test(path));
    const users = filesMatching(source, /import\.meta\.(url|dir|path|resolve|file)|__dirname|__filename/);
    expect(users.sort()).toEqual([
      // Worker threads, which are entry points of the package.
      'packages/server/src/ai/local-scorer.ts',
      'packages/server/src/calendar/sources/calendar-parser.ts',
      'packages/server/src/news/sources/feed-parser.ts',
      'packages/server/src/pages/api-documents.ts',
      // Build the guide and the terminal from their sources, in a checkout only.
      'packages/server/src/pages/guide-files.ts',
      'packages/server/src/pages/terminal-files.ts',
    ]);
  });

  test('client and terminal import only types from the contract, so browsers load no schema library', () => {
    const browser = productFiles.filter(([path]) => /^packages\/(client|terminal)\/src\//.test(path));
    expect(filesMatching(browser, /^(import|export)(?! type)[^;]*from '@tickwire\/contract'/m)).toEqual([]);
  });
});

describe('the layer rules find a planted violation', () => {
  const plant = (files: Record<string, string>): Sources => new Map([...sources, ...Object.entries(files)]);
  const server = 'packages/server/src';

  test('an upward import', () => {
    const planted = plant({ [`${server}/store/planted.ts`]: `import { Api } from '../http/api.ts';\n` });
    expect(layerViolations(planted)).toEqual([`${server}/store/planted.ts imports ${server}/http/api.ts`]);
  });

  test('an upward type import', () => {
    const planted = plant({ [`${server}/ops/planted.ts`]: `import type { Store } from '../store/store.ts';\n` });
    expect(layerViolations(planted)).toEqual([`${server}/ops/planted.ts imports ${server}/store/store.ts`]);
  });

  test('an import from a kernel into a domain, and into the other kernel', () => {
    const planted = plant({
      [`${server}/http/planted.ts`]: `import type { Ledger } from '../signals/ledger.ts';\n`,
      [`${server}/ws/planted.ts`]: `import { Api } from '../http/api.ts';\n`,
    });
    expect(layerViolations(planted)).toEqual([`${server}/http/planted.ts imports ${server}/signals/ledger.ts`]);
    expect(kernelViolations(planted)).toEqual([
      `${server}/http/planted.ts imports ${server}/signals/ledger.ts`,
      `${server}/ws/planted.ts imports ${server}/http/api.ts`,
    ]);
  });

  test('an import from the bars of the chart into its frame', () => {
    const chart = 'packages/terminal/src/chart';
    const planted = plant({
      [`${chart}/bars/planted.ts`]: `import type { ChartPart } from '../frame/chart-part.ts';\n`,
    });
    expect(chartViolations(planted)).toEqual([`${chart}/bars/planted.ts imports ${chart}/frame/chart-part.ts`]);
  });

  test('an import from a domain into a domain above it', () => {
    const planted = plant({
      [`${server}/calendar/planted.ts`]: `import { NewsFeed } from '../news/news-feed.ts';\n`,
    });
    expect(layerViolations(planted)).toEqual([`${server}/calendar/planted.ts imports ${server}/news/news-feed.ts`]);
  });

  test('a cycle of type imports', () => {
    const planted = plant({
      'bench/planted-a.ts': `import type { B } from './planted-b.ts';\nexport type A = B;\n`,
      'bench/planted-b.ts': `export type { A as B } from './planted-a.ts';\n`,
    });
    expect(importCycles(planted)).toEqual([['bench/planted-a.ts', 'bench/planted-b.ts']]);
  });

  test('a fixture in product code', () => {
    const planted = plant({
      [`${server}/http/planted.ts`]: `import { freePort } from '../../testing/free-port.fixture.ts';\n`,
    });
    expect(fixtureViolations(planted)).toEqual([
      `${server}/http/planted.ts imports packages/server/testing/free-port.fixture.ts`,
    ]);
  });

  test('a package imported from below', () => {
    const planted = plant({ 'packages/engine/src/planted.ts': `import type { App } from '@tickwire/client';\n` });
    expect(packageViolations(planted)).toEqual(['packages/engine/src/planted.ts imports client']);
  });
});
