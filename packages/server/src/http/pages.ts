// The pages that need no key: the terminal, the API reference, and the OpenAPI and AsyncAPI documents. They are built once
// and self-contained: their content security policies allow only resources of this service.
import { createHash } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import { bundlePage, type Page, page, SCRIPT_POLICY } from './page-bundle.ts';
import { SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
import { referencePage } from './reference-page.ts';
import { ICON_CACHE, readWebManifest } from './web-manifest.ts';

const TERMINAL = fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));
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
  const { html, assets } = await bundlePage(TERMINAL, 'assets');
  const { manifest, icons, links } = await readWebManifest(pathToFileURL(TERMINAL));
  const terminal = page(html.replace('</head>', `${links}</head>`), 'text/html; charset=utf-8', SCRIPT_POLICY);
  return [
    ...TERMINAL_PATHS.map((path): [string, Page] => [path, terminal]),
    ...assets,
    [manifest.path, page(manifest.body, manifest.type)],
    ...icons.map(({ path, type, body }): [string, Page] => [path, page(body, type, undefined, ICON_CACHE)]),
  ];
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
