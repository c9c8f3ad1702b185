// The files of the documentation site. In a checkout, the site is built from docs/ when it is first needed; packages and
// executables contain all its files in one.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'bun';
import type { Bytes } from '../http/conditional-response.ts';
import { builtGuide } from './built-guide.ts';

/** Files by path from the root of the site, such as `streaming.html`. */
export type GuideFiles = ReadonlyMap<string, Bytes>;

export async function guideFiles(): Promise<GuideFiles> {
  if (builtGuide === null) return buildFiles();
  const packed = JSON.parse(zstdDecompressSync(await Bun.file(builtGuide).bytes()).toString()) as Packed;
  return new Map(Object.entries(packed).map(([path, text]) => [path, Uint8Array.fromBase64(text)]));
}

type Packed = Record<string, string>;

/** Builds all files into one. Pages repeat each other, which Zstandard finds over any distance. */
export async function packGuide(): Promise<Uint8Array> {
  const packed: Packed = {};
  for (const [path, bytes] of await buildFiles()) packed[path] = bytes.toBase64();
  return zstdCompressSync(JSON.stringify(packed), { level: 19 });
}

/** Runs in a separate process: it takes half a minute of computing. */
async function buildFiles(): Promise<GuideFiles> {
  const script = fileURLToPath(import.meta.resolve('@tickwire/guide/build.ts'));
  const build = Bun.spawn([process.execPath, script], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
  const [code, errors] = await Promise.all([build.exited, new Response(build.stderr).text()]);
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
