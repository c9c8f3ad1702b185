// Serves pages that are made when somebody first asks for one, or once the service has settled: bundling the terminal and
// writing the reference takes a third of a second, which the first answer of the interface need not wait for.
import type { Log } from '../ops/log.ts';
import type { Handler } from './api.ts';
import { type Page, pagePath } from './pages.ts';

const SETTLED_MS = 2_000;

export interface PageServerOptions {
  readonly make: () => Promise<ReadonlyMap<string, Page>>;
  readonly handlerOf: (page: Page) => Handler;
  /** For what is no page. */
  readonly notFound: Handler;
  readonly log: Log;
}

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #timer: ReturnType<typeof setTimeout>;
  #pages: Promise<ReadonlyMap<string, Handler>> | null = null;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => {
      this.#made().catch((error) => options.log.error('the pages could not be made', { error }));
    }, SETTLED_MS);
  }

  readonly handle: Handler = async (request, peers) => {
    const path = URL.parse(request.url)?.pathname ?? '';
    const page = (await this.#made()).get(pagePath(path)) ?? this.#options.notFound;
    return page(request, peers);
  };

  stop(): void {
    clearTimeout(this.#timer);
  }

  #made(): Promise<ReadonlyMap<string, Handler>> {
    const { make, handlerOf } = this.#options;
    this.#pages ??= make().then((pages) => new Map([...pages].map(([path, page]) => [path, handlerOf(page)])));
    return this.#pages;
  }
}
