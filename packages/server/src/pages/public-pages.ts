// The public page of a publisher and its badge. The page is the same for all publishers, except for its title and description;
// its script loads the record. It is built on the first request.
import { withStoreErrors } from '../errors/store-error.ts';
import type { Api } from '../http/api.ts';
import type { Handler } from '../http/handler.ts';
import { type Page, page, SCRIPT_POLICY } from '../http/page.ts';
import type { MarketPrices } from '../signals/ranking-signals.ts';
import type { PublicStanding, TrackRecords } from '../signals/track-records.ts';
import { badgeSvg, printable, standingText } from './badge.ts';
import { assetPages } from './terminal-build.ts';
import { terminalPart } from './terminal-files.ts';

const HTML = 'text/html; charset=utf-8';
/** In the source of the page, replaced for each publisher. */
const TITLE = '<title>Track record</title>';
const BADGE_CACHE = 'public, max-age=30';

export interface PublicPagesOptions {
  readonly records: Pick<TrackRecords, 'standing'>;
  readonly market: MarketPrices;
  readonly publisherOf: (name: string) => string | undefined;
}

interface RecordPage {
  readonly html: string;
  readonly assets: ReadonlyMap<string, Page>;
}

/** Handlers by path. */
export function publicPageRoutes(options: PublicPagesOptions, api: Api): Record<string, Handler> {
  const pages = new PublicPages(options);
  return {
    '/p/:name': api.renderedPage((params, now) => pages.record(params.name!, now)),
    '/p/:name/badge.svg': api.renderedPage((params, now) => pages.badge(params.name!, now)),
    '/public/assets/:file': api.renderedPage((params) => pages.asset(params.file!)),
  };
}

class PublicPages {
  readonly #options: PublicPagesOptions;
  #built: Promise<RecordPage> | null = null;

  constructor(options: PublicPagesOptions) {
    this.#options = options;
  }

  async record(name: string, now: number): Promise<Page> {
    const standing = await this.#standing(name, now);
    if (!standing) return NOT_FOUND;
    const { html } = await this.#record();
    return page(
      html.replace(TITLE, () => headOf(standing)),
      HTML,
      SCRIPT_POLICY,
    );
  }

  async badge(name: string, now: number): Promise<Page> {
    const standing = await this.#standing(name, now);
    if (!standing) return NOT_FOUND;
    const { content, headers } = page(badgeSvg(standing), 'image/svg+xml', "default-src 'none'; sandbox", BADGE_CACHE);
    // Other sites may embed it.
    return { content, headers: { ...headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } };
  }

  async asset(file: string): Promise<Page> {
    const { assets } = await this.#record();
    return assets.get(`/public/assets/${file}`) ?? NOT_FOUND;
  }

  async #standing(name: string, now: number): Promise<PublicStanding | undefined> {
    const { records, market, publisherOf } = this.#options;
    const publisher = publisherOf(name);
    return publisher === undefined ? undefined : withStoreErrors(() => records.standing(publisher, { market, now }));
  }

  #record(): Promise<RecordPage> {
    this.#built ??= terminalPart('publicRecord').then((built) => ({
      html: built.html,
      assets: new Map(assetPages(built)),
    }));
    return this.#built;
  }
}

function headOf(standing: PublicStanding): string {
  const title = Bun.escapeHTML(`${printable(standing.name)} · track record`);
  const description = Bun.escapeHTML(`${printable(standing.name)}: ${standingText(standing)}`);
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
  ].join('');
}

const NOT_FOUND: Page = {
  ...page(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light"><meta name="robots" content="noindex"><title>Not found</title></head><body><h1>Not found</h1><p>This service has no publisher with this name.</p></body></html>',
    HTML,
  ),
  status: 404,
};
