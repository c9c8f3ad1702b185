// The published package: built, packed, and unpacked into an empty project, without network access.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc');

/** Node 22 has a global WebSocket. In Node 20 the same implementation exists behind this flag, which Node 22 accepts too. */
export const WITH_WEBSOCKET = '--experimental-websocket';
export const WITHOUT_WEBSOCKET = '--no-experimental-websocket';

export interface CommandResult {
  readonly status: number;
  readonly out: string;
}

async function run(
  command: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = Bun.spawn([...command], {
    cwd,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...environment },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out: out + err };
}

async function succeed(command: readonly string[], cwd: string): Promise<string> {
  const { status, out } = await run(command, cwd);
  if (status !== 0) throw new Error(`${command.join(' ')}: ${out}`);
  return out;
}

/** Type-checks a folder with its tsconfig.json. */
export const compile = (folder: string): Promise<CommandResult> => run(['node', TSC, '-p', folder], folder);

export class Project {
  readonly folder: string;
  /** Variables of its programs. */
  environment: Readonly<Record<string, string>> = {};

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates a project that contains nothing but the packed client. */
  static async create(): Promise<Project> {
    const folder = mkdtempSync(join(tmpdir(), 'tickwire-client-'));
    const installed = join(folder, 'node_modules/@tickwire/client');
    mkdirSync(installed, { recursive: true });
    await succeed([process.execPath, join(PACKAGE, 'build/build.ts'), 'built'], folder);
    const tarball = (await succeed(['npm', 'pack', './built', '--offline', '--silent'], folder)).trim();
    await succeed(['tar', '-xzf', tarball, '-C', installed, '--strip-components=1'], folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
    return new Project(folder);
  }

  get installed(): string {
    return join(this.folder, 'node_modules/@tickwire/client');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  node(file: string, flag: string = WITH_WEBSOCKET): Promise<CommandResult> {
    return this.run('node', '--no-warnings', flag, file);
  }

  run(...command: string[]): Promise<CommandResult> {
    return run(command, this.folder, this.environment);
  }

  /** Type-checks files with the strictest settings, including the package's own declarations. */
  check(files: readonly string[]): Promise<CommandResult> {
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    return compile(this.folder);
  }
}
