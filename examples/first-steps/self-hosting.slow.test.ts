// An operator goes from an empty folder to a restored and upgraded service behind nginx. Stand-ins for systemd need no root.
import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import { install, sharedServiceFiles } from '../../tools/pack/installed.fixture.ts';
import { packService } from '../../tools/pack/npm-packages.ts';
import { productVersion, run } from '../../tools/pack/repository.ts';
import { Stranger } from '../testing/first-steps.fixture.ts';

const TEST_MS = 600_000;
const MISSING = ['nginx', 'openssl', 'jq', 'curl'].filter((each) => !Bun.which(each));
if (MISSING.length > 0) reportSkipped('the first steps of self-hosting', `${MISSING} is not installed`);

/** The same service as a package of another version. */
function withVersion(tarball: string, version: string, folder: string): string {
  run(['tar', '-xzf', tarball, '-C', folder]);
  const files = readdirSync(join(folder, 'package/lib')).map((name) => `package/lib/${name}`);
  for (const name of ['package/package.json', ...files.filter((each) => each.endsWith('.js'))]) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(new RegExp(`(\\bversion"?: )"${productVersion()}"`, 'g'), `$1"${version}"`));
  }
  const packed = run(['npm', 'pack', join(folder, 'package'), '--pack-destination', folder, '--offline', '--silent']);
  return join(folder, packed.trim());
}

test.skipIf(MISSING.length > 0)(
  'a single process behind nginx is restored from a backup and upgraded',
  async () => {
    using stranger = new Stranger();
    const { clone, extra: PREFIX } = stranger;
    mkdirSync(join(clone, 'dist'));
    const tarball = await packService(await sharedServiceFiles(), { out: join(clone, 'dist') });
    // Fills the cache of npm, so that the script needs no download.
    const cached = join(PREFIX, 'cached');
    mkdirSync(cached);
    install(cached, [tarball]);
    const next = withVersion(tarball, '0.2.0', PREFIX);
    const bin = join(PREFIX, 'bin');
    mkdirSync(bin);
    const standIn = join(clone, 'examples/first-steps/testing/systemd.sh');
    for (const name of ['systemctl', 'systemd-run', 'useradd', 'install']) symlinkSync(standIn, join(bin, name));
    const env = {
      PREFIX,
      PATH: `${bin}:${process.env.PATH}`,
      PORT: String(await freePort()),
      HTTP_PORT: String(await freePort()),
      HTTPS_PORT: String(await freePort()),
      METRICS_PORT: 'off',
    };
    try {
      expect(await stranger.run('self-hosting.sh', [next], env)).toStartWith('== Done: tickwire 0.2.0 serves https://');
    } finally {
      for (const name of ['nginx', 'tickwire']) run([join(bin, 'systemctl'), 'stop', name], { env });
    }
  },
  TEST_MS,
);
