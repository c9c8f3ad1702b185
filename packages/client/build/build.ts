// Builds the package that is published, in a folder of its own: JavaScript for every runtime and for Node, types that stand
// on their own, and a manifest without dependencies. Within this repository the sources are used as they are.
//   npm run build --workspace @tickwire/client, then npm publish packages/client/dist (`npm run release` does both)
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractTypes } from './contract-types.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'src');
const OUT = resolve(process.argv[2] ?? 'dist');

async function buildScripts(): Promise<void> {
  for (const [entry, target] of [
    ['index', 'browser'],
    ['node', 'node'],
  ] as const) {
    const built = await Bun.build({ entrypoints: [join(SOURCE, `${entry}.ts`)], outdir: OUT, target, format: 'esm' });
    if (!built.success) throw new Error(built.logs.join('\n'));
  }
}

/** The sources are compiled against the types as they are published, so that one cannot be without the other. */
function buildTypes(): void {
  const stage = join(OUT, 'stage');
  const isSource = (name: string): boolean => /^(?!node)[a-z-]+\.ts$/.test(name);
  mkdirSync(stage, { recursive: true });
  for (const name of readdirSync(SOURCE).filter(isSource)) cpSync(join(SOURCE, name), join(stage, name));
  writeFileSync(join(stage, 'contract.ts'), contractTypes(namesIn(readFileSync(join(SOURCE, 'contract.ts'), 'utf8'))));
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
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc');
  const { exitCode, stdout } = Bun.spawnSync(['node', tsc, '-p', stage], { stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(stdout.toString());
  rmSync(stage, { recursive: true });
  for (const name of readdirSync(OUT).filter((each) => each.endsWith('.d.ts'))) {
    const file = join(OUT, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'"));
  }
}

/** Names that the module of the contract's types exports. */
function namesIn(source: string): string[] {
  const listed = /export type \{([^}]*)\}/.exec(source)?.[1]?.match(/\w+/g) ?? [];
  return [...listed, ...[...source.matchAll(/^export type (\w+) =/gm)].map((match) => match[1]!)];
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
    engines: { node: '>=20.3' },
    exports: {
      '.': { types: './index.d.ts', bun: './index.js', node: './node.js', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    sideEffects: ['./node.js'],
  };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'README.md'), join(OUT, 'README.md'));
  cpSync(join(ROOT, '../../LICENSE'), join(OUT, 'LICENSE'));
}

rmSync(OUT, { recursive: true, force: true });
await buildScripts();
buildTypes();
writeManifest();
