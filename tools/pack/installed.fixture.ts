// What was packed, installed in an empty folder, and run there as its user would.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { ROOT, run } from './repository.ts';
import { type ServiceFiles, serviceFiles } from './service-build.ts';

const START_MS = 60_000;
const INSTALL_MS = 120_000;
const INSTALL_ATTEMPTS = 3;
/** What the user of a bare machine has. `HOME` with the cache of npm, so that Bun is not downloaded again. */
export const BARE = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'tickwire-installed-'));

/** What the service reads, built once for all test files of a run: the guide takes half a minute of computing. */
export async function sharedServiceFiles(): Promise<ServiceFiles> {
  const folder = process.env.TICKWIRE_TEST_FOLDER;
  if (folder === undefined) return serviceFiles();
  const file = join(folder, 'service-files.json');
  if (!existsSync(file)) {
    const { guide, ...texts } = await serviceFiles();
    writeFileSync(file, JSON.stringify({ ...texts, guide: guide.toBase64() }));
  }
  const { guide, ...texts } = JSON.parse(readFileSync(file, 'utf8')) as Omit<ServiceFiles, 'guide'> & { guide: string };
  return { ...texts, guide: Uint8Array.fromBase64(guide) };
}

/** What `npm ci` installed here, in a copy of the repository. Hard links where possible: it is much, and only read. */
export function copyPackages(clone: string): void {
  const target = join(clone, 'node_modules');
  mkdirSync(target);
  const names = readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '.cache');
  const paths = names.map((name) => join(ROOT, 'node_modules', name));
  const { exitCode } = Bun.spawnSync(['cp', '-al', ...paths, target], { stderr: 'ignore' });
  if (exitCode !== 0) run(['cp', '-a', ...paths, target]);
  for (const nested of new Bun.Glob('packages/*/node_modules').scanSync({ cwd: ROOT, onlyFiles: false }))
    run(['cp', '-a', join(ROOT, nested), join(clone, nested)]);
}

/**
 * Installs tarballs in a folder with nothing else in it. npm then has all that it needs of the registry in its cache. A download can
 * stall for as long as its process lives, so that an npm that takes too long is replaced.
 */
export function install(folder: string, tarballs: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const command = ['npm', 'install', ...tarballs, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  for (let attempt = 1; ; attempt++)
    try {
      run(command, { cwd: folder, timeout: INSTALL_MS });
      return;
    } catch (error) {
      if (attempt === INSTALL_ATTEMPTS) throw error;
    }
}

export interface Ended {
  readonly status: number;
  readonly out: string;
}

/** Runs a command to its end. */
export function runIn(folder: string, command: readonly string[], env: Record<string, string> = {}): Ended {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: folder, env: { ...BARE, ...env } });
  return { status: exitCode, out: `${stdout}${stderr}` };
}

/** A service that runs in a folder of its own. */
export class InstalledService {
  readonly url: string;
  /** The demo key. */
  readonly key: string;
  readonly folder: string;
  readonly #child: Subprocess;

  private constructor(child: Subprocess, folder: string, banner: string) {
    this.#child = child;
    this.folder = folder;
    this.url = /serving at (\S+)/.exec(banner)![1]!;
    this.key = /tw_[0-9a-z]+_[0-9a-z]+/.exec(banner)![0];
  }

  /** `command`: starts `tickwire serve`. */
  static async start(command: readonly string[], folder: string, settings: Record<string, string> = {}) {
    const env = { ...BARE, TICKWIRE_PORT: '0', TICKWIRE_METRICS_PORT: 'off', TICKWIRE_LOG: 'warn', ...settings };
    const child = Bun.spawn([...command], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' });
    let out = '';
    let err = '';
    const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
    };
    void collect(child.stdout, (text) => {
      out += text;
    });
    void collect(child.stderr, (text) => {
      err += text;
    });
    const deadline = Date.now() + START_MS;
    // The curl example is the last line of the banner.
    while (!out.includes('curl')) {
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill();
        throw new Error(`the service is not ready: ${out}${err}`);
      }
      await Bun.sleep(10);
    }
    return new InstalledService(child, folder, out);
  }

  get(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { ...init, headers: { 'X-API-Key': this.key } });
  }

  /** Ends the process and waits until nothing answers any more. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#child.exited;
    const deadline = Date.now() + START_MS;
    while (await this.get('/healthz').catch(() => null)) {
      if (Date.now() > deadline) throw new Error('the service still runs after its command has ended');
      await Bun.sleep(50);
    }
    // Under npx, the service outlives its command for a moment, in which it writes its last data.
    await Bun.sleep(1_000);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
