// The two npm packages: the service with its terminal, and the TypeScript client. Nothing in them refers to this repository.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, readManifest, run } from './repository.ts';
import { buildService, type ServiceFiles } from './service-build.ts';

const SERVER = join(ROOT, 'packages/server');
const MAIN_IN_CHECKOUT = '../src/cli/main.ts';

export interface NpmOptions {
  readonly out: string;
  /** The public address of the repository. Registries require it for provenance. */
  readonly repository?: string | undefined;
}

/** Returns the path of the tarball. */
export const packService = (files: ServiceFiles, options: NpmOptions): Promise<string> =>
  packFolder(options, (folder) => stageService(folder, files));

/** Returns the path of the tarball. */
export const packClient = (options: NpmOptions): Promise<string> =>
  packFolder(options, async (folder) => {
    run([process.execPath, join(ROOT, 'packages/client/build/build.ts'), folder]);
  });

async function packFolder({ out, repository }: NpmOptions, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-pack-'));
  await fill(folder);
  if (repository !== undefined) addRepository(folder, repository);
  const packed = run(['npm', 'pack', folder, '--pack-destination', out, '--offline', '--json', '--ignore-scripts']);
  rmSync(folder, { recursive: true });
  return join(out, (JSON.parse(packed) as { filename: string }[])[0]!.filename);
}

/** `folder`: becomes the content of the package. */
async function stageService(folder: string, files: ServiceFiles): Promise<void> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  await buildService(files, { outdir: join(folder, 'lib') });
  const command = readFileSync(join(SERVER, 'bin/tickwire.mjs'), 'utf8');
  if (!command.includes(MAIN_IN_CHECKOUT)) throw new Error(`bin/tickwire.mjs does not start ${MAIN_IN_CHECKOUT}`);
  writeFileSync(join(folder, 'bin/tickwire.mjs'), command.replace(MAIN_IN_CHECKOUT, '../lib/main.js'));
  chmodSync(join(folder, 'bin/tickwire.mjs'), 0o755);
  cpSync(join(SERVER, 'bin/launch.mjs'), join(folder, 'bin/launch.mjs'));
  cpSync(join(SERVER, 'README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'packages/sentiment/MODEL-CARD.md'), join(folder, 'MODEL-CARD.md'));
  writeFileSync(join(folder, 'NOTICE'), files.notices);
  const { name, version, license, engines, optionalDependencies } = readManifest('packages/server');
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description: readManifest('.').description,
    keywords: ['market-data', 'trading-signals', 'news', 'websocket', 'self-hosted'],
    license,
    type: 'module',
    bin: { tickwire: 'bin/tickwire.mjs' },
    engines,
    // The runtime, one package per platform. All libraries are in the bundle.
    optionalDependencies,
  });
}

function addRepository(folder: string, url: string): void {
  const file = join(folder, 'package.json');
  writeJson(file, { ...JSON.parse(readFileSync(file, 'utf8')), repository: { type: 'git', url } });
}

const writeJson = (file: string, value: object): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
