// Pages with their headers, and pages of the terminal package bundled from their sources.
import { type Bytes, staticResponse, type TaggedResponse } from './conditional-response.ts';

export interface Page {
  readonly content: TaggedResponse;
  readonly headers: Readonly<Record<string, string>>;
  /** Default 200. */
  readonly status?: number;
}

/** Scripts submit the forms, so `form-action` is none. No script parses HTML, so browsers may block that. */
export const SCRIPT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/** The expression that libraries read the build mode from. It is replaced in the bundle, not read from the environment. */
const MODE = ['process', 'env', 'NODE_ENV'].join('.');

export function page(body: string | Bytes, type: string, policy = "default-src 'none'", cache = 'no-cache'): Page {
  const headers = {
    'Content-Type': type,
    'Cache-Control': cache,
    'Content-Security-Policy': policy,
    // For browsers that do not support frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
  return { content: staticResponse(body), headers };
}

export interface PageBundle {
  readonly html: string;
  /** Scripts and style sheets by path. */
  readonly assets: readonly [path: string, page: Page][];
}

/** `entry`: an HTML file. `folder`: the path of its assets. */
export async function bundlePage(entry: string, folder: string): Promise<PageBundle> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    minify: true,
    // Dynamic imports become files of their own, which the browser loads on request.
    splitting: true,
    // The only file to preload is named in the page, below.
    modulePreload: false,
    // Selects the production build of libraries. The development build of the chart is nearly twice as large.
    define: { [MODE]: '"production"' },
    publicPath: '/',
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
      .map(async (output): Promise<[string, Page]> => {
        const body = new Uint8Array(await output.arrayBuffer());
        // The name of an asset contains a hash of its content.
        const cached = page(body, output.type, SCRIPT_POLICY, 'public, max-age=31536000, immutable');
        return [output.path.replace(/^\.?\/?/, '/'), cached];
      }),
  );
  return { html, assets };
}

/** Links to the scripts that the script of the page imports, so that the browser loads them side by side. */
async function preloadLinks(outputs: readonly Bun.BuildArtifact[]): Promise<string> {
  const entry = outputs.find(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'));
  const text = (await entry?.text()) ?? '';
  const imported = [...text.matchAll(/\b(?:from|import)"(\/[^"]+\.js)"/g)].map(([, path]) => path);
  return imported.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`).join('');
}
