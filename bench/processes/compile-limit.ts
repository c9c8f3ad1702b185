// Compiles the server in C that shows what the kernel alone takes.
import { join } from 'node:path';

const SOURCE = join(import.meta.dir, '../contenders/limit.c');
const COMPILERS = ['cc', 'gcc', 'clang'];

/** The executable, or the reason why there is none. */
export type CompiledLimit = { readonly path: string } | { readonly missing: string };

export function compileLimit(folder: string): CompiledLimit {
  const compiler = COMPILERS.map((name) => Bun.which(name)).find((found) => found !== null);
  if (!compiler) return { missing: 'not compiled: there is no C compiler (apt-get install gcc libc6-dev)' };
  const path = join(folder, 'limit');
  const { exitCode, stderr } = Bun.spawnSync([compiler, '-O2', '-o', path, SOURCE], { stderr: 'pipe' });
  if (exitCode === 0) return { path };
  return { missing: `not compiled: ${stderr.toString().split('\n')[0]}` };
}
