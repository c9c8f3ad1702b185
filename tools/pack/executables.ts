// Single-file executables: the service, its files and the Bun of the target platform in one file. Bun comes from the same
// platform packages as everywhere else, with the hash of the lock file.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { platformPackage } from '../../packages/server/bin/launch.mjs';
import { lockedPackages, productVersion, ROOT, readManifest, run } from './repository.ts';
import { buildService, type ServiceFiles } from './service-build.ts';

/** Target platform → Node's platform and architecture, and whether its C library is musl. */
const PLATFORMS = {
  'linux-x64': ['linux', 'x64', false],
  'linux-arm64': ['linux', 'arm64', false],
  'linux-x64-musl': ['linux', 'x64', true],
  'linux-arm64-musl': ['linux', 'arm64', true],
  'darwin-x64': ['darwin', 'x64', false],
  'darwin-arm64': ['darwin', 'arm64', false],
  'windows-x64': ['win32', 'x64', false],
  'windows-arm64': ['win32', 'arm64', false],
} as const;
export type Target = keyof typeof PLATFORMS;
export const TARGETS = Object.keys(PLATFORMS) as Target[];

const DOWNLOADS = join(ROOT, 'node_modules/.cache/tickwire-bun');

function packageOf(target: Target): string {
  const [platform, arch, musl] = PLATFORMS[target];
  return platformPackage(platform, arch, musl)!;
}
const isWindows = (target: Target): boolean => PLATFORMS[target][0] === 'win32';

/** The target that runs on this machine. */
export const hostTarget = (): Target => TARGETS.find((target) => packageOf(target) === platformPackage())!;

export const executableName = (target: Target): string =>
  `tickwire-${productVersion()}-${target}${isWindows(target) ? '.exe' : ''}`;

/** The script that installs an executable, beside the executables. */
export const INSTALLER = 'install.sh';

export function copyInstaller(out: string): string {
  copyFileSync(join(ROOT, 'deploy', INSTALLER), join(out, INSTALLER));
  return join(out, INSTALLER);
}

/** The path of the executable. */
export async function buildExecutable(out: string, target: Target, files: ServiceFiles): Promise<string> {
  const outfile = join(out, executableName(target));
  rmSync(outfile, { force: true });
  await buildService(files, {
    compile: {
      target: packageOf(target).replace('@oven/', '').replace('aarch64', 'arm64') as Bun.Build.CompileTarget,
      executablePath: bunOf(target),
      outfile,
      // It is configured by its own settings only.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  });
  return outfile;
}

/** The Bun of a platform: installed, or downloaded from the registry and compared with the lock file. */
function bunOf(target: Target): string {
  const name = packageOf(target);
  const file = join('bin', isWindows(target) ? 'bun.exe' : 'bun');
  const version = readManifest('packages/server').optionalDependencies![name]!;
  const candidates = [join(ROOT, 'node_modules', name), join(DOWNLOADS, `${name.replace('/', '-')}-${version}`)];
  const found = candidates.map((folder) => join(folder, file)).find(existsSync);
  if (found) return found;
  const folder = candidates[1]!;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const packed = run(['npm', 'pack', `${name}@${version}`, '--pack-destination', partial, '--json']);
  const tarball = join(partial, (JSON.parse(packed) as { filename: string }[])[0]!.filename);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (integrity !== lockedPackages().find((locked) => locked.name === name)?.integrity)
    throw new Error(`${name}@${version} is not the package of the lock file`);
  run(['tar', '-xzf', tarball, '-C', partial, '--strip-components=1']);
  rmSync(tarball);
  renameSync(partial, folder);
  return join(folder, file);
}
