// `npm run pack`: builds what can be installed without this repository, into dist/. Nothing is published.
import { mkdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeChecksums } from './checksums.ts';
import { buildExecutable, copyInstaller, hostTarget, TARGETS, type Target } from './executables.ts';
import { packClient, packService } from './npm-packages.ts';
import { packPython } from './python-package.ts';
import { ROOT } from './repository.ts';
import { type ServiceFiles, serviceFiles } from './service-build.ts';

const HELP = `npm run pack -- [--out FOLDER] [--repository URL] [--service | --client | --python] [--executables[=TARGET,…]]

Builds the npm packages tickwire and @tickwire/client into dist/, with the checksums of all files there (SHA256SUMS).

  --out FOLDER           another folder than dist
  --repository URL       public address of the repository, for the manifests
  --service              only the package tickwire, without development dependencies
  --client               only the package @tickwire/client, which takes seconds
  --python               also the wheel and the sdist of the Python package (needs Python with setuptools and wheel)
  --executables          also the executable for this machine, and install.sh
  --executables=all      also the executables for every platform; downloads their Bun once
  --executables=LIST     ${TARGETS.join(', ')}
`;

/** Targets named by `--executables`. Empty: the one of this machine. */
export function targetsOf(list: string): Target[] {
  if (list === '') return [hostTarget()];
  if (list === 'all') return TARGETS;
  const names = list.split(',');
  const unknown = names.filter((name) => !TARGETS.includes(name as Target));
  if (unknown.length > 0) throw new Error(`unknown platform ${unknown.join(', ')}; choose from ${TARGETS.join(', ')}`);
  return names as Target[];
}

export interface PackOptions {
  readonly out: string;
  readonly repository?: string | undefined;
  /** Only the service: its client needs a compiler to be built. */
  readonly serviceOnly?: boolean;
  readonly clientOnly?: boolean;
  readonly python?: boolean;
  readonly targets?: readonly Target[];
  /** Default: they are built. */
  readonly files?: ServiceFiles | undefined;
}

/** Returns the paths of all files it built. */
export async function pack(options: PackOptions): Promise<string[]> {
  mkdirSync(options.out, { recursive: true });
  const packed = await packFiles(options);
  return [...packed, writeChecksums(options.out)];
}

async function packFiles(options: PackOptions): Promise<string[]> {
  const { out, repository, serviceOnly = false, clientOnly = false, python = false, targets = [] } = options;
  if (clientOnly) return [await packClient({ out, repository })];
  const files = options.files ?? (await serviceFiles());
  const built = [await packService(files, { out, repository })];
  if (!serviceOnly) built.push(await packClient({ out, repository }));
  if (python) built.push(...packPython(out));
  for (const target of targets) built.push(await buildExecutable(out, target, files));
  if (targets.length > 0) built.push(copyInstaller(out));
  return built;
}

if (import.meta.main) {
  const args = process.argv.slice(2).map((each) => (each === '--executables' ? '--executables=' : each));
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string', default: join(ROOT, 'dist') },
      repository: { type: 'string' },
      service: { type: 'boolean', default: false },
      client: { type: 'boolean', default: false },
      python: { type: 'boolean', default: false },
      executables: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const targets = values.executables === undefined ? [] : targetsOf(values.executables);
    const out = resolve(values.out);
    const { repository, service: serviceOnly, client: clientOnly, python } = values;
    const built = await pack({ out, repository, serviceOnly, clientOnly, python, targets });
    for (const file of built)
      process.stdout.write(`${(statSync(file).size / 1e6).toFixed(1).padStart(7)} MB  ${basename(file)}\n`);
  }
}
