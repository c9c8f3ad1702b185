// What a browser may open without a key: the terminal, the reference and the two machine-readable documents. All of it is
// made once, at the start, and needs nothing from elsewhere: the content policies allow only what is served here.
import { createHash } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import { type Bytes, prepared, type Tagged } from './conditional.ts';
import { ICON_CACHE, readInstallable } from './installable.ts';
import { SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
import { referencePage } from './reference-page.ts';

export interface Page {
  readonly content: Tagged;
  readonly headers: Readonly<Record<string, string>>;
}

const TERMINAL = fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));
/** Its forms are sent by script: no form goes anywhere. Nothing is ever parsed as HTML, so that browsers may refuse to. */
const TERMINAL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/** What bundlers and libraries call the mode. It is told to them here, not read. */
const MODE = ['process', 'env', 'NODE_ENV'].join('.');
/** One page, which looks at its address. */
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
/** Behind these may stand what is looked at: `/markets/EURUSD/5m`. */
const DEEP = /^\/(markets|signals|publishers)\/./;

/** The path that a page is kept under. */
export const pagePath = (path: string): string => (DEEP.test(path) ? '/' : path);

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
    // Of what comes in two builds, the one for use: the chart's other one is nearly twice as large.
    define: { [MODE]: '"production"' },
    publicPath: '/',
    naming: { asset: 'assets/[name]-[hash].[ext]', chunk: 'assets/[name]-[hash].[ext]' },
  });
  const { manifest, icons, links } = await readInstallable(pathToFileURL(TERMINAL));
  const pages = await Promise.all(
    built.outputs.map(async (output): Promise<[string, Page][]> => {
      const path = output.path.replace(/^\.?\/?/, '/');
      if (path.endsWith('.html')) {
        const html = (await output.text())
          .replace('</head>', `${links}</head>`)
          // Who chose light sees nothing dark first. The bundler drops the attribute where it stands in the source.
          .replace('<script type="module"', '<script type="module" blocking="render"');
        const terminal = page(html, output.type, TERMINAL_POLICY);
        return TERMINAL_PATHS.map((each) => [each, terminal]);
      }
      const body = new Uint8Array(await output.arrayBuffer());
      // The name of an asset changes with its content.
      return [[path, page(body, output.type, TERMINAL_POLICY, 'public, max-age=31536000, immutable')]];
    }),
  );
  return [
    ...pages.flat(),
    [manifest.path, page(manifest.body, manifest.type)],
    ...icons.map(({ path, type, body }): [string, Page] => [path, page(body, type, undefined, ICON_CACHE)]),
  ];
}

function page(body: string | Bytes, type: string, policy = "default-src 'none'", cache = 'no-cache'): Page {
  const headers = {
    'Content-Type': type,
    'Cache-Control': cache,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    // For browsers that do not know frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
  return { content: prepared(body), headers };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
