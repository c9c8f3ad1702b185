// The id of an item, its public URL, and the key of the page that it links to.

import type { EpochMs } from '@tickwire/engine';
import { DAY_MS } from '@tickwire/engine';
import { sha256Hex } from '../../ops/sha256.ts';
import { originOf, type RawItem } from '../news-source.ts';

const LONGEST_URL = 2_000;
/** Query parameters that publishers add to track visitors; the page is the same without them. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_cid|mc_eid|cmpid|ref|rss|guccounter)$/i;

/** Derived from the origin and the source's own id of the item, else its URL, else its title and day. */
export function itemId(raw: RawItem, url: string | null, title: string, publishedAt: EpochMs): string {
  const own = raw.guid?.trim();
  const key = own
    ? ['guid', own]
    : url
      ? ['url', pageKey(url) ?? url]
      : ['title', title.toLowerCase(), String(Math.floor(publishedAt / DAY_MS))];
  return sha256Hex([originOf(raw), ...key].join('\u0000')).slice(0, 32);
}

/** http or https, no credentials, at most 2,000 characters; null for anything else. */
export function publicUrl(raw: string | null): string | null {
  if (!raw || raw.length > LONGEST_URL) return null;
  const url = URL.parse(raw.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  // Quotes are legal in a URL, but break out of an HTML attribute if a consumer forgets to escape.
  const href = url.href.replaceAll("'", '%27');
  return href.length > LONGEST_URL ? null : href;
}

/** The same for all URLs of one page; `null` for the front page of a site, because many items may link to it. */
export function pageKey(href: string): string | null {
  const url = new URL(href);
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '' && url.search === '') return null;
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}
