// The documentation site under /guide/. It is read, and in a checkout built, on the first request for it.
import { extname } from 'node:path';
import type { Api } from '../http/api.ts';
import type { Handler } from '../http/handler.ts';
import { type Page, page } from '../http/page.ts';
import type { Log } from '../ops/log.ts';
import { cspHash } from '../ops/sha256.ts';
import { type GuideFiles, type GuidePage, guideFiles, guideList } from './guide-files.ts';
import { llmsText } from './llms-text.ts';

const ROOT = '/guide/';
/** The list of the pages, from which the terminal finds them. */
const LIST = `${ROOT}pages.json`;
const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** A request waits this long for a site that need not be built. */
const WAIT_MS = 5_000;
const COME_BACK_SECONDS = 2;

/** Handlers by path. */
export function guideRoutes(api: Api, log: Log): Record<string, Handler> {
  const guide = new GuidePages(log);
  const handle = api.renderedPage((_params, _now, path) => guide.page(path));
  return { '/guide': handle, '/guide/*': handle, '/llms.txt': api.renderedPage(() => guide.llms()) };
}

export class GuidePages {
  readonly #log: Log;
  readonly #readFiles: typeof guideFiles;
  readonly #waitMs: number;
  readonly #list: typeof guideList;
  #pages: Promise<ReadonlyMap<string, Page>> | null = null;
  #lists: Promise<Lists> | null = null;
  #step = '';
  /** A build has begun: it takes longer than anybody waits. */
  #begun = Promise.withResolvers<void>();

  constructor(log: Log, readFiles = guideFiles, waitMs = WAIT_MS, list = guideList) {
    this.#log = log;
    this.#readFiles = readFiles;
    this.#waitMs = waitMs;
    this.#list = list;
  }

  async page(path: string): Promise<Page> {
    if (path === LIST) return (await this.#listed()).pages;
    const pages = await this.#built();
    if (pages instanceof Map) return pages.get(path === '/guide' ? ROOT : path) ?? notFound(pages);
    return pages === 'failed' ? NOT_BUILT : beingBuilt(this.#step);
  }

  /** Index of all documentation for language models. */
  async llms(): Promise<Page> {
    return (await this.#listed()).llms;
  }

  /** Needs no build. Empty if the pages cannot be listed. */
  #listed(): Promise<Lists> {
    this.#lists ??= this.#list().then(listsOf);
    return this.#lists.catch((error) => {
      // The next request tries again.
      this.#lists = null;
      this.#log.warn('the pages of the guide could not be listed', { error });
      return listsOf([]);
    });
  }

  async #built(): Promise<ReadonlyMap<string, Page> | 'being built' | 'failed'> {
    this.#pages ??= this.#readFiles((step) => {
      this.#step = step;
      this.#begun.resolve();
    }).then(pagesOf);
    try {
      return (await Promise.race([this.#pages, this.#begun.promise, Bun.sleep(this.#waitMs)])) ?? 'being built';
    } catch (error) {
      // The next request tries again.
      this.#pages = null;
      this.#begun = Promise.withResolvers();
      this.#log.warn('the guide could not be built', { error });
      return 'failed';
    }
  }
}

interface Lists {
  readonly pages: Page;
  readonly llms: Page;
}

function listsOf(guide: readonly GuidePage[]): Lists {
  const text = llmsText(guide.map((each) => ({ ...each, path: `${ROOT}${each.path}.md` })));
  return { pages: page(JSON.stringify(guide), TYPES['.json']!), llms: page(text, 'text/plain; charset=utf-8') };
}

const notFound = (pages: ReadonlyMap<string, Page>): Page => ({ ...pages.get(`${ROOT}404`)!, status: 404 });

/** `x.html` is at `/guide/x`, and `index.html` at its folder. */
function pagesOf(files: GuideFiles): ReadonlyMap<string, Page> {
  const policy = policyOf(files);
  const pages = new Map<string, Page>();
  for (const [path, bytes] of files) {
    const isAsset = path.startsWith('assets/');
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    const built = isAsset
      ? page(bytes, type, undefined, 'public, max-age=31536000, immutable')
      : page(bytes, type, policy);
    pages.set(`${ROOT}${path.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`, built);
  }
  return pages;
}

/** The site has two short scripts in its pages, which are named by their hashes, and colours of code as attributes. */
function policyOf(files: GuideFiles): string {
  const scripts = new Set<string>();
  const decoder = new TextDecoder();
  for (const [path, bytes] of files)
    if (path.endsWith('.html')) for (const each of inlineScripts(decoder.decode(bytes))) scripts.add(each);
  const hashes = [...scripts].map(cspHash);
  return `default-src 'none'; script-src 'self' ${hashes.join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);

const message = (title: string, text: string, more = ''): Page => ({
  ...page(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${more}<title>Tickwire guide</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
    HTML,
  ),
  status: 503,
});

const beingBuilt = (step: string): Page =>
  message(
    'The guide is being built',
    `This happens once after a change and takes about half a minute. The page opens when it is ready.</p><p><progress max="3" value="${Number(step[0]) || 0}"></progress> ${step}`,
    `<meta http-equiv="refresh" content="${COME_BACK_SECONDS}">`,
  );
/** A clone that was installed without development tools cannot build it. */
const NOT_BUILT = message(
  'The guide is not built',
  'Run "npm ci" and "npm run guide" in the folder of this service, then open this page again. The <a href="/docs">API reference</a> is complete.',
);
