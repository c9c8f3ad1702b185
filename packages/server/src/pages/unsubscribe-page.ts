// The page behind the link in a mail that ends messages to a destination. It asks first, because mail scanners open every link;
// mail programs with one-click unsubscription (RFC 8058) submit the form themselves. Neither needs a session: the link is enough.
import { withStoreErrors } from '../errors/store-error.ts';
import type { Api } from '../http/api.ts';
import type { Handler } from '../http/handler.ts';
import { type Page, page } from '../http/page.ts';

const POLICY = "default-src 'none'; style-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Of a node without the key of destinations: it cannot check links. */
export const unsubscribeElsewhere = (api: Api): Record<string, Handler> => ({
  '/unsubscribe/:token': api.formPage(async () => NO_KEY),
});

export interface UnsubscribeOptions {
  /** The destination of a token; `null` if the token is not valid. */
  readonly destinationOf: (token: string) => string | null;
  /** Makes the destination `unsubscribed`. Nothing happens if it does not exist any more. */
  readonly unsubscribe: (destination: string) => Promise<void>;
}

/** Handlers by path. */
export function unsubscribeRoutes(
  { destinationOf, unsubscribe }: UnsubscribeOptions,
  api: Api,
): Record<string, Handler> {
  return {
    '/unsubscribe/:token': api.formPage(async ({ token = '' }, submitted) => {
      const destination = destinationOf(token);
      if (destination === null) return NOT_VALID;
      if (!submitted) return ASK;
      await withStoreErrors(() => unsubscribe(destination));
      return DONE;
    }),
  };
}

function shown(title: string, content: string): Page {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light"><meta name="robots" content="noindex"><title>${title}</title>`;
  const body = `<h1>${title}</h1>${content}`;
  return page(
    `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`,
    'text/html; charset=utf-8',
    POLICY,
    'no-store',
  );
}

const ASK = shown(
  'Unsubscribe',
  '<p>Tickwire will send no more messages to this address.</p><form method="post"><button>Unsubscribe</button></form>',
);
const DONE = shown('Unsubscribed', '<p>Tickwire will send no more messages to this address.</p>');
const NOT_VALID: Page = {
  ...shown('This link is not valid', '<p>Open the link of a newer mail, or remove the destination in Tickwire.</p>'),
  status: 404,
};
const NO_KEY: Page = {
  ...shown(
    'Not available here',
    '<p>This server cannot check the link now. Try again later, or write to the sender of the mail.</p>',
  ),
  status: 503,
};
