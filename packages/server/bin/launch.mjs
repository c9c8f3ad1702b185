// Finds Bun's binary and runs it in our place: signals go in once, the exit status comes out.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const OLDEST_BUN = [1, 4];
const ORPHAN_CHECK_MS = 200;

/** Bun's platform package, or undefined where Bun has none. musl and glibc need different binaries. */
export function platformPackage(platform = process.platform, arch = process.arch, musl = usesMusl()) {
  const os = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform];
  const cpu = { x64: 'x64', arm64: 'aarch64' }[arch];
  return os && cpu ? `@oven/bun-${os}-${cpu}${os === 'linux' && musl ? '-musl' : ''}` : undefined;
}

function usesMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
}

/** Path of a usable Bun: its platform package first, then the PATH. */
export function findBun() {
  const name = platformPackage();
  const file = process.platform === 'win32' ? 'bun.exe' : 'bun';
  if (name) {
    try {
      const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
      const bundled = join(dirname(manifest), 'bin', file);
      if (existsSync(bundled)) return bundled;
    } catch {
      // Not installed: optional packages were omitted. The PATH is next.
    }
  }
  const probe = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const version = probe.status === 0 ? probe.stdout.trim().split('.').map(Number) : undefined;
  const usable =
    version && (version[0] > OLDEST_BUN[0] || (version[0] === OLDEST_BUN[0] && version[1] >= OLDEST_BUN[1]));
  return usable ? file : undefined;
}

export function launch(args) {
  const bun = findBun();
  if (!bun) {
    console.error(
      `tickwire: Bun ${OLDEST_BUN.join('.')} or newer was not found. Run "npm ci" without --omit=optional` +
        `${platformPackage() ? ` (it brings ${platformPackage()})` : ''}, or put bun on the PATH.`,
    );
    process.exit(1);
  }
  // Listening begins before there is a child: a signal between the two would end us and leave it an orphan. The listener
  // stays, since in a moment without one a second signal would do the same. A terminal's Ctrl-C reaches the whole process
  // group, so the child may see a signal twice; it stops once all the same.
  const passedOn = new Set();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (passedOn.has(signal)) return;
      passedOn.add(signal);
      child.kill(signal);
    });
  const child = spawn(bun, args, { stdio: 'inherit' });
  // Under npm a shell stands between us and whoever sends the signal, and dies of it without passing it on.
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
