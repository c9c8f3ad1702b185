// The pages that need no key: the terminal, the API reference, and the OpenAPI and AsyncAPI documents. They are built once
// and self-contained: their content security policies allow only resources of this service.
import { createHash } from 'node:crypto';
import { type Documents, renderDocuments } from './api-documents.ts';
import { assetPages, type Page, page, TERMINAL_POLICY, WORKER_POLICY } from './page-bundle.ts';
import { FONT_LINK, FONT_PATH } from './page-font.ts';
import { LANGUAGE_SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
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

/** Paths of everything else that is built. */
const OTHER_PATH =
  /^\/(?:docs(?:\.md)?$|(?:docs|assets|icons)\/|(?:openapi|asyncapi)\.json$|push-worker\.js$|manifest\.webmanifest$)/;

/** The path under which the page for a request path is stored. */
export const pagePath = (path: string): string => (ITEM_PATH.test(path) ? '/' : path);

/** Whether there can be a page at a path. Nothing has to be built to know that there is none. */
export const canBePage = (path: string): boolean =>
  (TERMINAL_PATHS as readonly string[]).includes(pagePath(path)) || OTHER_PATH.test(path);

type Pages = ReadonlyMap<string, Page>;
const created = new Map<boolean, Promise<Pages>>();

/** Pages by path. They depend on nothing else, so all services of a process share them. */
export function createPages(simulated: boolean): Promise<Pages> {
  let pages = created.get(simulated);
  if (!pages) {
    pages = buildPages(simulated);
    created.set(simulated, pages);
    pages.catch(() => created.delete(simulated));
  }
  return pages;
}

async function buildPages(simulated: boolean): Promise<Pages> {
  const script = await terminalPart('referenceScript');
  const [terminal, documents] = await Promise.all([terminalPages(), renderDocuments({ simulated, script })]);
  return new Map([...terminal, ...documentPages(documents, script)]);
}

/** The API documents and the reference. Its scripts call this service only, and parse no HTML. */
function documentPages({ openApi, asyncApi, searchIndex, pages }: Documents, script: string): [string, Page][] {
  const scripts = `${hashOf(LANGUAGE_SCRIPT)} ${hashOf(script)}`;
  const policy = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${scripts}; connect-src 'self'; img-src data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return [
    ['/openapi.json', page(openApi, 'application/json')],
    ['/asyncapi.json', page(asyncApi, 'application/json')],
    ['/docs/search.json', page(searchIndex, 'application/json')],
    ...pages.flatMap(({ path, html, markdownPath, markdown }): [string, Page][] => [
      [path, page(html, 'text/html; charset=utf-8', policy)],
      [markdownPath, page(markdown, 'text/markdown; charset=utf-8')],
    ]),
  ];
}

/** The web terminal. */
async function terminalPages(): Promise<[string, Page][]> {
  const built = await terminalPart('terminal');
  const { manifest, icons, links } = await terminalPart('webManifest');
  const terminal = page(
    built.html.replace('</head>', `${links}${FONT_LINK}</head>`),
    'text/html; charset=utf-8',
    TERMINAL_POLICY,
  );
  const worker = page(await terminalPart('pushWorker'), 'text/javascript; charset=utf-8', WORKER_POLICY);
  return [
    ...TERMINAL_PATHS.map((path): [string, Page] => [path, terminal]),
    ...assetPages(built),
    [FONT_PATH, page(await terminalPart('font'), 'font/woff2', undefined, 'public, max-age=31536000, immutable')],
    [PUSH_WORKER_PATH, worker],
    [manifest.path, page(manifest.body, manifest.type)],
    ...icons.map(({ path, type, body }): [string, Page] => [path, page(body, type, undefined, ICON_CACHE)]),
  ];
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
