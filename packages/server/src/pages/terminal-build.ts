// Builds pages and scripts of the terminal package from their sources: on demand in a checkout, once for all by `npm run pack`.
import type { Bytes } from '../http/conditional-response.ts';
import { type Page, page, SCRIPT_POLICY } from '../http/page.ts';

/** The expression that libraries read the build mode from. It is replaced in the bundle, not read from the environment. */
const MODE = ['process', 'env', 'NODE_ENV'].join('.');

export interface BuiltFile {
  /** From the root of the service. */
  readonly path: string;
  readonly type: string;
  readonly body: Bytes;
}

export interface BuiltPage {
  readonly html: string;
  /** Scripts and style sheets. */
  readonly assets: readonly BuiltFile[];
}

/** `entry`: an HTML file. `folder`: the path of its assets. */
export async function buildPage(entry: string, folder: string): Promise<BuiltPage> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    minify: true,
    // Dynamic imports become separate files, which the browser loads on request.
    splitting: true,
    // The only file to preload is named in the page, below.
    modulePreload: false,
    // Selects the production build of libraries. The development build of the chart is nearly twice as large.
    define: { [MODE]: '"production"' },
    publicPath: '/',
    // The font has a separate path, which all pages share.
    external: ['/assets/*'],
    naming: { asset: `${folder}/[name]-[hash].[ext]`, chunk: `${folder}/[name]-[hash].[ext]` },
  });
  const isHtml = ({ path }: { readonly path: string }): boolean => path.endsWith('.html');
  const html = (await outputs.find(isHtml)!.text())
    .replace('</head>', `${await preloadLinks(outputs)}</head>`)
    // Prevents a flash of the dark theme for users of the light one. The bundler drops the attribute in the source.
    .replace('<script type="module"', '<script type="module" blocking="render"');
  const assets = await Promise.all(
    outputs
      .filter((output) => !isHtml(output))
      .map(async (output) => ({
        path: output.path.replace(/^\.?\/?/, '/'),
        type: output.type,
        body: new Uint8Array(await output.arrayBuffer()),
      })),
  );
  return { html, assets };
}

/** One script without imports: a service worker, or the script inside a page. */
export async function buildScript(entry: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, format: 'iife' });
  return outputs[0]!.text();
}

/** Links to the scripts that the script of the page imports, so that the browser loads them side by side. */
async function preloadLinks(outputs: readonly Bun.BuildArtifact[]): Promise<string> {
  const entry = outputs.find(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'));
  const text = (await entry?.text()) ?? '';
  const imported = [...text.matchAll(/\b(?:from|import)"(\/[^"]+\.js)"/g)].map(([, path]) => path);
  return imported.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`).join('');
}

/** The assets of a built page by path. Their names contain a hash of their content, so browsers may keep them. */
export const assetPages = ({ assets }: BuiltPage): [path: string, page: Page][] =>
  assets.map(({ path, type, body }) => [path, page(body, type, SCRIPT_POLICY, 'public, max-age=31536000, immutable')]);
