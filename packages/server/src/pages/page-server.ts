// Serves the pages. Bundling the terminal and rendering the documents takes up to a second, so each of them is built on the first
// request for one of its pages. Someone who starts the service by hand opens the terminal next: then both are built shortly after
// the start.

import type { Handler } from '../http/handler.ts';
import type { Page } from '../http/page.ts';
import type { Log } from '../ops/log.ts';
import { type PagePart, pagePath, partOf } from './pages.ts';

const BUILD_AFTER_MS = 2_000;

export interface PageServerOptions {
  readonly build: (part: PagePart) => Promise<ReadonlyMap<string, Page>>;
  readonly handlerOf: (page: Page) => Handler;
  /** For paths without a page. */
  readonly notFound: Handler;
  readonly log: Log;
  /** Builds the pages without waiting for a request. */
  readonly soon: boolean;
}

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #pages = new Map<PagePart, Promise<ReadonlyMap<string, Handler>>>();

  constructor(options: PageServerOptions) {
    this.#options = options;
    if (!options.soon) return;
    this.#timer = setTimeout(() => {
      for (const part of ['terminal', 'documents'] as const)
        this.#built(part).catch((error) => options.log.error('building the pages failed', { error }));
    }, BUILD_AFTER_MS);
  }

  readonly handle: Handler = async (request, peers) => {
    const path = URL.parse(request.url)?.pathname ?? '';
    const { notFound } = this.#options;
    const part = partOf(path);
    if (part === null) return notFound(request, peers);
    const page = (await this.#built(part)).get(pagePath(path)) ?? notFound;
    return page(request, peers);
  };

  stop(): void {
    clearTimeout(this.#timer);
  }

  #built(part: PagePart): Promise<ReadonlyMap<string, Handler>> {
    const { build, handlerOf } = this.#options;
    let pages = this.#pages.get(part);
    if (!pages) {
      pages = build(part).then((built) => new Map([...built].map(([path, page]) => [path, handlerOf(page)])));
      this.#pages.set(part, pages);
    }
    return pages;
  }
}
