// Finds the Bun binary and runs it in place of this process: forwards signals once and returns the exit status.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const OLDEST_BUN = [1, 4];
const ORPHAN_CHECK_MS = 200;

/** The platform package of Bun, or undefined if there is none. musl and glibc need different binaries. */
export function platformPackage(platform = process.platform, arch = process.arch, musl = usesMusl()) {
  const os = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform];
  const cpu = { x64: 'x64', arm64: 'aarch64' }[arch];
  return os && cpu ? `@oven/bun-${os}-${cpu}${os === 'linux' && musl ? '-musl' : ''}` : undefined;
}

function usesMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
}

/** The path of a usable Bun: from its platform package, else from the PATH. */
export function findBun() {
  const name = platformPackage();
  const file = process.platform === 'win32' ? 'bun.exe' : 'bun';
  if (name) {
    try {
      const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
      const bundled = join(dirname(manifest), 'bin', file);
      if (existsSync(bundled)) return bundled;
    } catch {
      // Not installed: optional packages were omitted. Try the PATH.
    }
  }
  const probe = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const version = probe.status === 0 ? probe.stdout.trim().split('.').map(Number) : undefined;
  const usable =
    version && (version[0] > OLDEST_BUN[0] || (version[0] === OLDEST_BUN[0] && version[1] >= OLDEST_BUN[1]));
  return usable ? file : undefined;
}

/** `channel`: the child learns when this process ends, even if it is killed (the event `disconnect` of its process). */
export function launch(args, { channel = false } = {}) {
  const bun = findBun();
  if (!bun) {
    console.error(
      `tickwire: Bun ${OLDEST_BUN.join('.')} or newer was not found. Install again without --omit=optional` +
        `${platformPackage() ? ` (it brings ${platformPackage()})` : ''}, or put bun on the PATH.`,
    );
    process.exit(1);
  }
  // The listeners are added before the child starts and never removed: a signal without a listener would end the launcher
  // and orphan the child. Ctrl-C in a terminal reaches the whole process group, so the child may get a signal twice; it
  // stops once all the same.
  const forwarded = new Set();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (forwarded.has(signal)) return;
      forwarded.add(signal);
      child.kill(signal);
    });
  const child = spawn(bun, args, { stdio: ['inherit', 'inherit', 'inherit', ...(channel ? ['ipc'] : [])] });
  // Under npm, a shell between npm and this process dies of the signal without forwarding it.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), ORPHAN_CHECK_MS).unref();
  }
  child.on('error', (error) => {
    console.error(`tickwire: could not start ${bun}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
}
