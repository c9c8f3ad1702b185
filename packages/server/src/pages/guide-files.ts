// The files of the documentation site. In a checkout, the site is built from docs/ when it is first needed; packages and
// executables contain all its files in one.
import { readdir, readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'bun';
import type { Bytes } from '../http/conditional-response.ts';
import { builtGuide } from './built-guide.ts';

/** Files by path from the root of the site, such as `streaming.html`. */
export type GuideFiles = ReadonlyMap<string, Bytes>;

/** A page of the site, as listed in its `pages.json`. */
export interface GuidePage {
  /** From the root of the site, without extension; `index` for its first page. */
  readonly path: string;
  readonly title: string;
  /** One sentence, or empty. */
  readonly description: string;
  /** Title of its section in the side bar. */
  readonly section: string;
  /** Its title in the side bar. */
  readonly label: string;
}

/** `onStep` gets each step of a build, such as `2 of 3: translating the pages`. */
export async function guideFiles(onStep?: (step: string) => void): Promise<GuideFiles> {
  if (builtGuide === null) return buildFiles(onStep);
  const packed = JSON.parse(zstdDecompressSync(await Bun.file(builtGuide).bytes()).toString()) as Packed;
  return new Map(Object.entries(packed).map(([path, text]) => [path, Uint8Array.fromBase64(text)]));
}

/** The pages, which a checkout knows before it has built them. */
export async function guideList(): Promise<readonly GuidePage[]> {
  if (builtGuide !== null)
    return JSON.parse(new TextDecoder().decode((await guideFiles()).get('pages.json'))) as GuidePage[];
  // By its path, so that a package does not contain it.
  const { pageList } = (await import(SCRIPT())) as { pageList: () => readonly GuidePage[] };
  return pageList();
}

const SCRIPT = (): string => fileURLToPath(import.meta.resolve('@tickwire/guide/build.ts'));

type Packed = Record<string, string>;

/** Builds all files into one. Pages repeat each other, which Zstandard finds over any distance. */
export async function packGuide(): Promise<Uint8Array> {
  const packed: Packed = {};
  for (const [path, bytes] of await buildFiles()) packed[path] = bytes.toBase64();
  return zstdCompressSync(JSON.stringify(packed), { level: 19 });
}

/** Runs in a separate process: it takes half a minute of computing. If steps are asked for, it gives way to the service. */
async function buildFiles(onStep?: (step: string) => void): Promise<GuideFiles> {
  const script = SCRIPT();
  const build = Bun.spawn([process.execPath, script], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  if (onStep) setPriority(build.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const steps = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of build.stdout)
      for (const line of decoder.decode(chunk).split('\n')) if (/^\d of 3: /.test(line)) onStep?.(line);
  };
  const [code, errors] = await Promise.all([build.exited, new Response(build.stderr).text(), steps()]);
  if (code !== 0) throw new Error(errors.trim() || `the build of the guide ended with ${code}`);
  const folder = join(script, '../../dist/site');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file): Promise<[string, Bytes]> => {
    const bytes = await readFile(file);
    return [file.slice(folder.length + 1), new Uint8Array(bytes)];
  });
  return new Map(await Promise.all(read));
}
