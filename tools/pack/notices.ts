// The notices that travel with packages and executables: those of this project, of the sentiment model, and the licences of all
// libraries that the lock file lists for production.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRuntime, lockedPackages, type Manifest, ROOT, readManifest } from './repository.ts';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
const LINE = `\n${'-'.repeat(80)}\n`;
const RUNTIME = `Bun, which runs the service, is part of the executables and a separate package otherwise:
Copyright Oven. MIT License. https://github.com/oven-sh/bun
It contains JavaScriptCore (GNU Library General Public License, Version 2) and other libraries, which are listed at
https://bun.com/docs/project/license, with their sources.
`;

function sourceOf({ name, version, homepage, repository }: Manifest): string {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url?.replace(/^git\+/, '') ?? homepage ?? `https://www.npmjs.com/package/${name}/v/${version}`;
}

/** The licence texts of a library, or what its manifest states if it has no file. */
function licenseOf(path: string, { license, author }: Manifest): string {
  const texts = readdirSync(join(ROOT, path))
    .filter((name) => LICENSE_FILE.test(name))
    .map((name) => readFileSync(join(ROOT, path, name), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  if (license === undefined) throw new Error(`${path} has neither a licence file nor a licence in its manifest`);
  const owner = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  return `Copyright ${owner}. Its package has no licence file; its manifest states: ${license}.`;
}

export function noticesText(): string {
  const libraries = lockedPackages().filter((each) => !isRuntime(each) && existsSync(join(ROOT, each.path)));
  const licenses = libraries.map(({ path }) => {
    const manifest = readManifest(path);
    const { name, version, license } = manifest;
    return `${name} ${version} (${license})\n${sourceOf(manifest)}\n\n${licenseOf(path, manifest)}\n`;
  });
  const own = readFileSync(join(ROOT, 'NOTICE'), 'utf8').replace(/\nThe sentiment model has a notice.*\n/, '');
  const model = readFileSync(join(ROOT, 'packages/sentiment/NOTICE'), 'utf8');
  return [own, model, RUNTIME, 'Libraries\n', ...licenses].join(LINE);
}
