// Serves the pages. Bundling the terminal and rendering the reference takes up to a second, so they are built on the first request
// for a page. Someone who starts the service by hand opens the terminal next: then they are built shortly after the start.
import type { Log } from '../ops/log.ts';
import type { Handler } from './handler.ts';
import type { Page } from './page-bundle.ts';
import { canBePage, pagePath } from './pages.ts';

const BUILD_AFTER_MS = 2_000;

export interface PageServerOptions {
  readonly build: () => Promise<ReadonlyMap<string, Page>>;
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
  #pages: Promise<ReadonlyMap<string, Handler>> | null = null;

  constructor(options: PageServerOptions) {
    this.#options = options;
    if (!options.soon) return;
    this.#timer = setTimeout(() => {
      this.#built().catch((error) => options.log.error('building the pages failed', { error }));
    }, BUILD_AFTER_MS);
  }

  readonly handle: Handler = async (request, peers) => {
    const path = URL.parse(request.url)?.pathname ?? '';
    const { notFound } = this.#options;
    if (!canBePage(path)) return notFound(request, peers);
    const page = (await this.#built()).get(pagePath(path)) ?? notFound;
    return page(request, peers);
  };

  stop(): void {
    clearTimeout(this.#timer);
  }

  #built(): Promise<ReadonlyMap<string, Handler>> {
    const { build, handlerOf } = this.#options;
    this.#pages ??= build().then((pages) => new Map([...pages].map(([path, page]) => [path, handlerOf(page)])));
    return this.#pages;
  }
}
