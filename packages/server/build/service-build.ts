// The service as a bundle: the command, its worker threads, and the files they read (terminal, model, documents, notices) beside
// them. Checkouts, packages and executables run the same build.
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../src');
/** Worker threads. They are opened by file name, so the bundler does not find them. */
export const WORKERS = [
  'ai/score-worker.ts',
  'news/sources/feed-parser.worker.ts',
  'calendar/sources/calendar-parser.worker.ts',
  'pages/api-documents.worker.ts',
];
/** `pg` uses them if they are installed. */
const NOT_USED = ['pg-native', 'pg-cloudflare'];

/** What packages contain besides code. A checkout builds the guide when it is first read, and has no notices. */
export interface ServiceFiles {
  readonly terminal: string;
  readonly guide: Uint8Array;
  readonly notices: string;
}

/**
 * Replaces modules whose only export is null in a checkout by the path of a file. The bundler copies the file, and the path is
 * relative to the bundle.
 */
const replaceModules = (replaced: readonly Replacement[]): Bun.BunPlugin => ({
  name: 'packed files',
  setup(build) {
    for (const { module, name, file, content } of replaced) {
      if (content === undefined) continue;
      build.onLoad({ filter: new RegExp(`/${module}$`) }, () => ({
        contents: `import { resolve } from 'node:path';
import file from 'packed:${file}' with { type: 'file' };
export const ${name} = resolve(import.meta.dirname, file);`,
        loader: 'ts',
      }));
      build.onResolve({ filter: new RegExp(`^packed:${file}$`) }, () => ({ path: file, namespace: 'packed' }));
      build.onLoad({ filter: new RegExp(`^${file}$`), namespace: 'packed' }, () => ({
        contents: content,
        loader: 'file',
      }));
    }
  },
});

interface Replacement {
  readonly module: string;
  /** Of its export. */
  readonly name: string;
  readonly file: string;
  /** Without it, the module stays as it is. */
  readonly content: string | Uint8Array | undefined;
}

export async function buildService(
  { terminal, guide, notices }: Pick<ServiceFiles, 'terminal'> & Partial<ServiceFiles>,
  target: Pick<Bun.BuildConfig, 'outdir'> & { readonly compile?: Bun.CompileBuildOptions },
): Promise<Bun.BuildOutput> {
  const built = await Bun.build({
    entrypoints: ['cli/main.ts', ...WORKERS].map((file) => join(SOURCE, file)),
    plugins: [
      replaceModules([
        { module: 'pages/built-terminal.ts', name: 'builtTerminal', file: 'terminal.json', content: terminal },
        { module: 'pages/built-guide.ts', name: 'builtGuide', file: 'guide.json.zst', content: guide },
        { module: 'cli/notices.ts', name: 'noticesFile', file: 'notices.txt', content: notices },
      ]),
    ],
    target: 'bun',
    // Commands are loaded on demand.
    splitting: true,
    // All in one folder: workers and files are found by name, beside the code.
    naming: { entry: '[name].[ext]', asset: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
    external: NOT_USED,
    metafile: true,
    ...target,
  } as Bun.BuildConfig);
  if (!built.success) throw new Error(built.logs.join('\n'));
  return built;
}
