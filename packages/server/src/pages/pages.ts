// The pages that need no key: the terminal, the API reference, and the OpenAPI and AsyncAPI documents. They are built once
// and self-contained: their content security policies allow only resources of this service.

import { type Page, page, TERMINAL_POLICY, WORKER_POLICY } from '../http/page.ts';
import { cspHash } from '../ops/sha256.ts';
import { renderDocuments } from './api-documents.ts';
import { FONT_LINK, FONT_PATH } from './page-font.ts';
import { HEAD_SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
import { assetPages } from './terminal-build.ts';
import { terminalPart } from './terminal-files.ts';
import { ICON_CACHE } from './web-manifest.ts';

/** Where the terminal registers its worker: at the root, so that it can open every page. */
export const PUSH_WORKER_PATH = '/push-worker.js';
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
  '/calendar',
  '/alerts',
  '/settings',
] as const;
/** Paths of the terminal that name an item, such as `/markets/EURUSD/5m`. */
const ITEM_PATH = /^\/(markets|signals|publishers|news|alerts)\/./;

/** Paths of everything else that belongs to the terminal. */
const TERMINAL_FILE = /^\/(?:(?:assets|icons)\/|push-worker\.js$|manifest\.webmanifest$)/;
const DOCUMENT_PATH = /^\/(?:docs(?:\.md)?$|docs\/|(?:openapi|asyncapi)\.json$)/;

/** Pages that are built together. */
export type PagePart = 'terminal' | 'documents';

/** The path under which the page for a request path is stored. */
export const pagePath = (path: string): string => (ITEM_PATH.test(path) ? '/' : path);

/** The part that a path belongs to; null if there is no page. Nothing has to be built to know that. */
export function partOf(path: string): PagePart | null {
  if (DOCUMENT_PATH.test(path)) return 'documents';
  return (TERMINAL_PATHS as readonly string[]).includes(pagePath(path)) || TERMINAL_FILE.test(path) ? 'terminal' : null;
}

type Pages = ReadonlyMap<string, Page>;
const created = new Map<string, Promise<Pages>>();

/** Pages by path. They depend on nothing else, so all services of a process share them. */
export function createPages(part: PagePart, simulated: boolean): Promise<Pages> {
  const name = part === 'terminal' ? part : `${part} ${simulated}`;
  let pages = created.get(name);
  if (!pages) {
    pages = part === 'terminal' ? terminalPages() : documentPages(simulated);
    created.set(name, pages);
    pages.catch(() => created.delete(name));
  }
  return pages;
}

/** The API documents and the reference. Its scripts call this service only, and parse no HTML. */
async function documentPages(simulated: boolean): Promise<Pages> {
  const script = await terminalPart('referenceScript');
  const { openApi, asyncApi, searchIndex, pages } = await renderDocuments({ simulated, script });
  const scripts = `${cspHash(HEAD_SCRIPT)} ${cspHash(script)}`;
  const policy = `default-src 'none'; style-src ${cspHash(STYLE)}; script-src ${scripts}; connect-src 'self'; img-src data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return new Map([
    ['/openapi.json', page(openApi, 'application/json')],
    ['/asyncapi.json', page(asyncApi, 'application/json')],
    ['/docs/search.json', page(searchIndex, 'application/json')],
    ...pages.flatMap(({ path, html, markdownPath, markdown }): [string, Page][] => [
      [path, page(html, 'text/html; charset=utf-8', policy)],
      [markdownPath, page(markdown, 'text/markdown; charset=utf-8')],
    ]),
  ]);
}

/** The web terminal. */
async function terminalPages(): Promise<Pages> {
  const built = await terminalPart('terminal');
  const { manifest, icons, links } = await terminalPart('webManifest');
  const terminal = page(
    built.html.replace('</head>', `${links}${FONT_LINK}</head>`),
    'text/html; charset=utf-8',
    TERMINAL_POLICY,
  );
  const worker = page(await terminalPart('pushWorker'), 'text/javascript; charset=utf-8', WORKER_POLICY);
  return new Map([
    ...TERMINAL_PATHS.map((path): [string, Page] => [path, terminal]),
    ...assetPages(built),
    [FONT_PATH, page(await terminalPart('font'), 'font/woff2', undefined, 'public, max-age=31536000, immutable')],
    [PUSH_WORKER_PATH, worker],
    [manifest.path, page(manifest.body, manifest.type)],
    ...icons.map(({ path, type, body }): [string, Page] => [path, page(body, type, undefined, ICON_CACHE)]),
  ]);
}
