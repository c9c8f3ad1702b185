// What the tools for packages and releases share: the folder, the product version, and running commands.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dir, '../..');

/** A package.json, as far as the tools need it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly author?: string | { readonly name: string };
  readonly repository?: string | { readonly url: string };
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** `folder`: relative to the repository. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

/** The one version of the product: of the service, the clients, the image and the release. */
export const productVersion = (): string => readManifest('.').version;

export interface LockedPackage {
  /** Its folder, relative to the repository. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
}

/** Development tools whose code is part of the built guide. */
const IN_GUIDE = new Set([
  ...['vitepress', 'vue', '@vue/reactivity', '@vue/runtime-core', '@vue/runtime-dom', '@vue/shared'],
  ...['@vueuse/core', '@vueuse/integrations', '@vueuse/shared', 'focus-trap', 'mark.js', 'minisearch', 'tabbable'],
]);

/** What the lock file lists for the product: libraries, and the runtime of every platform. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Omit<LockedPackage, 'path' | 'name'> & Partial<Record<LockFlag, boolean>>>>;
  };
  return Object.entries(packages)
    .map(([path, locked]) => ({ ...locked, path, name: path.replace(/^.*node_modules\//, '') }))
    .filter(({ path, link }) => path.includes('node_modules/') && !link)
    .filter(({ name, dev, devOptional }) => (!dev && !devOptional) || IN_GUIDE.has(name));
}
type LockFlag = 'dev' | 'devOptional' | 'link';

/** Whether a package is the runtime. */
export const isRuntime = ({ name }: { readonly name: string }): boolean => name.startsWith('@oven/');

/** Runs a command and returns what it printed. Throws with its output if it fails. */
export function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: object; readonly timeout?: number } = {},
): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdout: 'pipe',
    stderr: 'pipe',
    ...(options.timeout !== undefined && { timeout: options.timeout, killSignal: 'SIGKILL' }),
  });
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed (${exitCode}):\n${stdout}${stderr}`);
  return stdout.toString();
}
