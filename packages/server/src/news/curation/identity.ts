// What tells one item of a source from another, and the address it leaves with.
import { createHash } from 'node:crypto';
import type { EpochMs } from '@tickwire/engine';
import type { RawItem } from '../raw-item.ts';

const LONGEST_URL = 2_000;
const DAY_MS = 86_400_000;
/** What publishers add to tell where a reader came from; the page is the same. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_cid|mc_eid|cmpid|ref|rss|guccounter)$/i;

/** By the source's own name of the item; else its address; else its title and day. */
export function idOf({ source, guid }: RawItem, url: string | null, title: string, publishedAt: EpochMs): string {
  const own = guid?.trim();
  const key = own
    ? ['guid', own]
    : url
      ? ['url', addressOf(url) ?? url]
      : ['title', title.toLowerCase(), String(Math.floor(publishedAt / DAY_MS))];
  return createHash('sha256')
    .update([source, ...key].join('\u0000'))
    .digest('hex')
    .slice(0, 32);
}

/** http or https, no credentials, at most 2,000 characters; null for anything else. */
export function urlOf(raw: string | null): string | null {
  if (!raw || raw.length > LONGEST_URL) return null;
  const url = URL.parse(raw.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  // Quotes are legal in an address; a careless reader puts it into an attribute.
  const href = url.href.replaceAll("'", '%27');
  return href.length > LONGEST_URL ? null : href;
}

/** What two addresses of one page have in common; null for a site's front page, which many items may point to. */
export function addressOf(href: string): string | null {
  const url = new URL(href);
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '' && url.search === '') return null;
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}
