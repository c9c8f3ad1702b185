// Builds the npm package into a folder: JavaScript for every runtime, self-contained type declarations, and a
// manifest without dependencies. Inside this repository the sources are used directly.
//   node packages/server/bin/bun.mjs packages/client/build/build.ts FOLDER (`npm run pack` makes a tarball of it)
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Glob } from 'bun';
import { contractTypes } from './contract-types.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'src');
/** The modules that programs import. */
const ENTRIES = ['index', 'webhooks'];
const OUT = resolve(process.argv[2] ?? 'dist');

async function buildScript(): Promise<void> {
  const entrypoints = ENTRIES.map((name) => join(SOURCE, `${name}.ts`));
  const built = await Bun.build({ entrypoints, outdir: OUT, target: 'browser', format: 'esm' });
  if (!built.success) throw new Error(built.logs.join('\n'));
}

/** Compiles the sources against the contract types as published, so that the two cannot disagree. */
function buildTypes(): void {
  const stage = join(OUT, 'stage');
  cpSync(SOURCE, stage, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  const sources = [...new Glob('**/*.ts').scanSync(stage)].map((name) => readFileSync(join(stage, name), 'utf8'));
  writeFileSync(join(stage, 'common/contract.ts'), contractTypes(sources));
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'Preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    emitDeclarationOnly: true,
    types: [],
    rootDir: '.',
    outDir: '..',
  };
  writeFileSync(
    join(stage, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ENTRIES.map((name) => `${name}.ts`) }),
  );
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc');
  const { exitCode, stdout } = Bun.spawnSync(['node', tsc, '-p', stage], { stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(stdout.toString());
  rmSync(stage, { recursive: true });
  for (const name of new Glob('**/*.d.ts').scanSync(OUT)) {
    const file = join(OUT, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[a-z./-]+)\.ts'/g, "$1.js'"));
  }
}

function writeManifest(): void {
  const { name, version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = {
    name,
    version,
    description,
    keywords: ['tickwire', 'market-data', 'trading-signals', 'news', 'websocket'],
    license,
    type: 'module',
    // Only here: in the workspace, npm would warn everyone who runs the server with Node 20.
    engines: { node: '>=22' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './webhooks': { types: './webhooks.d.ts', default: './webhooks.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    sideEffects: false,
  };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'README.md'), join(OUT, 'README.md'));
  cpSync(join(ROOT, '../../LICENSE'), join(OUT, 'LICENSE'));
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await buildScript();
buildTypes();
writeManifest();
