// The pages that need no key: the terminal, the API reference, and the OpenAPI and AsyncAPI documents. They are built once
// and self-contained: their content security policies allow only resources of this service.
import { createHash } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import { type Bytes, staticResponse, type TaggedResponse } from './conditional-response.ts';
import { SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
import { referencePage } from './reference-page.ts';
import { ICON_CACHE, readWebManifest } from './web-manifest.ts';

export interface Page {
  readonly content: TaggedResponse;
  readonly headers: Readonly<Record<string, string>>;
}

const TERMINAL = fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));
/** Scripts submit the forms, so `form-action` is none. No script parses HTML, so browsers may block that. */
const TERMINAL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/** The expression that libraries read the build mode from. It is replaced in the bundle, not read from the environment. */
const MODE = ['process', 'env', 'NODE_ENV'].join('.');
/** Paths of the terminal, a single page that routes by its address. */
export const TERMINAL_PATHS = [
  '/',
  '/setup',
  '/join',
  '/sign-in',
  '/sign-up',
  '/markets',
  '/signals',
  '/publishers',
  '/news',
  '/settings',
] as const;
/** Paths of the terminal that name an item, such as `/markets/EURUSD/5m`. */
const ITEM_PATH = /^\/(markets|signals|publishers)\/./;

/** The path under which the page for a request path is stored. */
export const pagePath = (path: string): string => (ITEM_PATH.test(path) ? '/' : path);

/** Pages by path. */
export async function createPages(simulated: boolean): Promise<Map<string, Page>> {
  const reference = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; img-src data:; frame-ancestors 'none'; base-uri 'none'`;
  return new Map([
    ['/openapi.json', page(JSON.stringify(openApiDocument()), 'application/json')],
    ['/asyncapi.json', page(JSON.stringify(asyncApiDocument()), 'application/json')],
    ['/docs', page(referencePage({ simulated }), 'text/html; charset=utf-8', reference)],
    ...(await terminalPages()),
  ]);
}

/** The web terminal, bundled from its sources. */
async function terminalPages(): Promise<[string, Page][]> {
  const built = await Bun.build({
    entrypoints: [TERMINAL],
    minify: true,
    // Dynamic imports become files of their own, which the browser loads on request.
    splitting: true,
    // The only file to preload is named in the page, below.
    modulePreload: false,
    // Selects the production build of libraries. The development build of the chart is nearly twice as large.
    define: { [MODE]: '"production"' },
    publicPath: '/',
    naming: { asset: 'assets/[name]-[hash].[ext]', chunk: 'assets/[name]-[hash].[ext]' },
  });
  const preloads = await preloadLinks(built.outputs);
  const { manifest, icons, links } = await readWebManifest(pathToFileURL(TERMINAL));
  const pages = await Promise.all(
    built.outputs.map(async (output): Promise<[string, Page][]> => {
      const path = output.path.replace(/^\.?\/?/, '/');
      if (path.endsWith('.html')) {
        const html = (await output.text())
          .replace('</head>', `${links}${preloads}</head>`)
          // Prevents a flash of the dark theme for users of the light one. The bundler drops the attribute in the source.
          .replace('<script type="module"', '<script type="module" blocking="render"');
        const terminal = page(html, output.type, TERMINAL_POLICY);
        return TERMINAL_PATHS.map((each) => [each, terminal]);
      }
      const body = new Uint8Array(await output.arrayBuffer());
      // The name of an asset contains a hash of its content.
      return [[path, page(body, output.type, TERMINAL_POLICY, 'public, max-age=31536000, immutable')]];
    }),
  );
  return [
    ...pages.flat(),
    [manifest.path, page(manifest.body, manifest.type)],
    ...icons.map(({ path, type, body }): [string, Page] => [path, page(body, type, undefined, ICON_CACHE)]),
  ];
}

/** Links to the scripts that the script of the page imports, so that the browser loads them side by side. */
async function preloadLinks(outputs: readonly Bun.BuildArtifact[]): Promise<string> {
  const entry = outputs.find(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'));
  const text = (await entry?.text()) ?? '';
  const imported = [...text.matchAll(/\b(?:from|import)"(\/[^"]+\.js)"/g)].map(([, path]) => path);
  return imported.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`).join('');
}

function page(body: string | Bytes, type: string, policy = "default-src 'none'", cache = 'no-cache'): Page {
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

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
