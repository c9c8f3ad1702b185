// Pages: the terminal, the guide, the reference, public records of publishers, and the page that ends messages by mail.
import type { UnsubscribeLinks } from '../delivery/unsubscribe-links.ts';
import { OTHER_PATHS } from '../http/handler.ts';
import type { Module } from '../module/module.ts';
import type { Log } from '../ops/log.ts';
import type { DeliveryStore } from '../store/delivery-store.ts';
import { guideRoutes } from './guide-pages.ts';
import { PageServer } from './page-server.ts';
import { createPages } from './pages.ts';
import { type PublicPagesOptions, publicPageRoutes } from './public-pages.ts';
import { unsubscribeElsewhere, unsubscribeRoutes } from './unsubscribe-page.ts';

export interface PagesModuleOptions {
  readonly simulated: boolean;
  /** `null`: records of publishers are not public. */
  readonly publicRecords: PublicPagesOptions | null;
  /** `null` on a node without the key of destinations, which cannot check links. */
  readonly links: UnsubscribeLinks | null;
  readonly delivery: Pick<DeliveryStore, 'changeDestination'>;
  readonly log: Log;
}

export function pagesModule({ simulated, publicRecords, links, delivery, log }: PagesModuleOptions): Module {
  let server: PageServer | undefined;
  return {
    paths(api) {
      server = new PageServer({
        build: (part) => createPages(part, simulated),
        handlerOf: (page) => api.page(page),
        notFound: api.notFound,
        log,
        soon: process.stdout.isTTY,
      });
      return {
        ...guideRoutes(api, log),
        ...(publicRecords && publicPageRoutes(publicRecords, api)),
        ...(links === null
          ? unsubscribeElsewhere(api)
          : unsubscribeRoutes(
              {
                destinationOf: (token) => links.destinationOf(token),
                unsubscribe: (id) => delivery.changeDestination(id, { state: 'unsubscribed' }),
              },
              api,
            )),
        [OTHER_PATHS]: server.handle,
      };
    },
    stop: () => server?.stop(),
  };
}
