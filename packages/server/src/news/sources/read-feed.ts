// Reads a feed: bytes in, items or a named refusal out. Pure, and never throws. RSS 0.9 to 2.0, Atom, RDF and JSON Feed;
// the dialects are feedsmith's business, what is taken of them is ours.
import { MalformedError, parseAtomFeed, parseJsonFeed, parseRdfFeed, parseRssFeed } from 'feedsmith';
import { decodeText } from './decode-text.ts';
import {
  type Dialect,
  type FeedBytes,
  type FeedReading,
  MAX_FEED_BYTES,
  type ReadItem,
  refused,
} from './feed-reading.ts';
import { boundJson, boundXml, UnboundedMarkup } from './markup-bounds.ts';
import { readDate } from './read-date.ts';

/** The newest so many are taken; a feed has 10 to 100 as a rule. */
export const MAX_ITEMS = 1_000;
/** Longer texts are cut: nobody's headline, and no summary, is that long. */
const MAX_TITLE = 4_096;
const MAX_SUMMARY = 16_384;
const MAX_ID = 2_048;

/** An item as a dialect has it. Candidates in the order of preference; the first that is of use is taken. */
interface Candidates {
  readonly guid: string | undefined;
  readonly links: readonly (string | undefined)[];
  readonly base: string | undefined;
  readonly titles: readonly (string | undefined)[];
  readonly summaries: readonly (string | undefined)[];
  readonly dates: readonly (string | undefined)[];
}

export function readFeed({ bytes, contentType, url }: FeedBytes): FeedReading {
  if (bytes.byteLength > MAX_FEED_BYTES) return refused('too_large', `it has more than ${MAX_FEED_BYTES} bytes`);
  const { text, encoding } = decodeText(bytes, contentType);
  const document = text.trim();
  if (document === '') return refused('empty', 'it has no text');
  try {
    const { dialect, base, found } = document.startsWith('{') ? readJson(document) : readXml(document);
    const feedBase = resolved(base, url) ?? url;
    const items = found.map((each) => itemOf(each, feedBase)).filter((item) => item.title !== '' || item.summary);
    items.sort((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
    const taken = items.slice(0, MAX_ITEMS);
    return { ok: true, dialect, encoding, items: taken, leftOut: found.length - taken.length };
  } catch (error) {
    if (error instanceof UnboundedMarkup) return refused(error.refusal, error.message);
    const cause = error instanceof MalformedError ? error.cause : error;
    const detail = cause instanceof Error ? cause.message : String(cause);
    return refused(/nested tags/i.test(detail) ? 'too_deep' : 'malformed', detail.slice(0, 200));
  }
}

interface Found {
  readonly dialect: Dialect;
  readonly base: string | undefined;
  readonly found: readonly Candidates[];
}

/** By the root element: a parser that looks for `<rss` anywhere finds it in the text of an article too. */
function readXml(document: string): Found {
  const { root, text } = boundXml(document);
  if (root === 'rss') return readRss(text);
  if (root === 'feed') return readAtom(text);
  if (root === 'rdf') return readRdf(text);
  throw new UnboundedMarkup('not_a_feed', root === 'html' ? 'it is a web page' : `its root element is ${root}`);
}

function readRss(text: string): Found {
  const { xml, items = [] } = parseRssFeed(text);
  const found = items.map((item): Candidates => {
    const { atom, dc, dcterms } = item;
    const permanent = item.guid?.isPermaLink === false ? undefined : absolute(item.guid?.value);
    return {
      guid: item.guid?.value ?? atom?.id ?? dc?.identifiers?.[0],
      links: [item.link, ...pages(atom?.links), permanent],
      base: item.xml?.base,
      titles: [item.title, dc?.titles?.[0], atom?.title?.value],
      summaries: [item.description, item.content?.encoded, dc?.descriptions?.[0], atom?.summary?.value],
      dates: [
        item.pubDate,
        dc?.dates?.[0],
        atom?.published,
        dcterms?.issued?.[0],
        dcterms?.created?.[0],
        atom?.updated,
      ],
    };
  });
  return { dialect: 'rss', base: xml?.base, found };
}

function readAtom(text: string): Found {
  const { xml, entries = [] } = parseAtomFeed(text);
  const found = entries.map(
    ({ id, links, title, summary, content, published, updated, xml: own }): Candidates => ({
      guid: id,
      links: [...pages(links), content?.src, absolute(id)],
      base: own?.base,
      titles: [title?.value],
      summaries: [summary?.value, content?.value],
      dates: [published, updated],
    }),
  );
  return { dialect: 'atom', base: xml?.base, found };
}

function readRdf(text: string): Found {
  const { xml, items = [] } = parseRdfFeed(text);
  const found = items.map(
    ({ title, link, description, rdf, dc, dcterms, content, atom, xml: own }): Candidates => ({
      guid: rdf?.about ?? dc?.identifiers?.[0],
      links: [link, absolute(rdf?.about)],
      base: own?.base,
      titles: [title, dc?.titles?.[0]],
      summaries: [description, content?.encoded, dc?.descriptions?.[0]],
      dates: [dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0], atom?.published, atom?.updated],
    }),
  );
  return { dialect: 'rdf', base: xml?.base, found };
}

function readJson(document: string): Found {
  boundJson(document);
  const parsed: unknown = JSON.parse(document);
  const { version, items } = parsed as { version?: unknown; items?: unknown };
  // feedsmith takes anything with a title and items; an answer of somebody's API is not a feed.
  if (!String(version).includes('jsonfeed.org/version/') || (items !== undefined && !Array.isArray(items)))
    throw new UnboundedMarkup('not_a_feed', 'it is JSON, but no JSON Feed');
  const found = (parseJsonFeed(parsed).items ?? []).map(
    (item): Candidates => ({
      guid: item.id,
      links: [item.url, item.external_url, absolute(item.id)],
      base: undefined,
      titles: [item.title],
      summaries: [item.summary, item.content_text, item.content_html],
      dates: [item.date_published, item.date_modified],
    }),
  );
  return { dialect: 'json', base: undefined, found };
}

function itemOf({ guid, links, base, titles, summaries, dates }: Candidates, feedBase: string): ReadItem {
  const from = resolved(base, feedBase) ?? feedBase;
  const url = links.map((link) => resolved(link, from)).find((link) => link !== null) ?? null;
  const publishedAt = dates.map((date) => readDate(date)).find((date) => date !== null) ?? null;
  return {
    guid: guid?.slice(0, MAX_ID) ?? null,
    url,
    title: (titles.find(Boolean) ?? '').slice(0, MAX_TITLE),
    summary: summaries.find(Boolean)?.slice(0, MAX_SUMMARY) ?? null,
    publishedAt,
  };
}

interface Link {
  readonly href?: string | undefined;
  readonly rel?: string | undefined;
}

/** The links of an entry that lead to what it is about; `self`, `edit`, `enclosure` and the like do not. */
const pages = (links: readonly Link[] = []): (string | undefined)[] =>
  links.filter(({ rel }) => rel === undefined || rel === 'alternate').map(({ href }) => href);

/** An id that is an address, as most are, serves where there is no link. */
const absolute = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;

function resolved(link: string | undefined, base: string): string | null {
  if (link === undefined) return null;
  const url = URL.parse(link, base);
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ID ? url.href : null;
}
