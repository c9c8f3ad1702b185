// Parses a feed: bytes in, items or a named failure out. A pure function that never throws. Supports RSS 0.9 to 2.0, Atom,
// RDF and JSON Feed. feedsmith parses the formats; this module selects what is used of them.
import { MalformedError, parseAtomFeed, parseJsonFeed, parseRdfFeed, parseRssFeed } from 'feedsmith';
import { decodeText } from './decode-text.ts';
import { checkJson, checkXml, DocumentError } from './document-limits.ts';
import { decodeEncodedWords } from './encoded-text.ts';
import { parseDate } from './parse-date.ts';
import {
  type FeedDocument,
  type FeedFormat,
  MAX_FEED_BYTES,
  type ParsedFeed,
  type ParsedItem,
  parseFailure,
} from './parsed-feed.ts';

/** The newest items of a feed that are used; most feeds have 10 to 100. */
export const MAX_ITEMS = 1_000;
/** Maximum lengths in characters; longer texts are cut. */
const MAX_TITLE = 4_096;
const MAX_SUMMARY = 16_384;
const MAX_ID = 2_048;

/** Fields of an item, in order of preference: the first usable value wins. */
interface Candidates {
  readonly guid: string | undefined;
  readonly links: readonly (string | undefined)[];
  readonly base: string | undefined;
  readonly titles: readonly (string | undefined)[];
  readonly summaries: readonly (string | undefined)[];
  readonly dates: readonly (string | undefined)[];
}

export function parseFeed({ bytes, contentType, url }: FeedDocument): ParsedFeed {
  if (bytes.byteLength > MAX_FEED_BYTES) return parseFailure('too_large', `it has more than ${MAX_FEED_BYTES} bytes`);
  const { text, encoding } = decodeText(bytes, contentType);
  const document = text.trim();
  if (document === '') return parseFailure('empty', 'it is empty');
  try {
    const { format, base, items: found } = document.startsWith('{') ? parseJson(document) : parseXml(document);
    const feedBase = resolveUrl(base, url) ?? url;
    const items = found.map((each) => itemOf(each, feedBase)).filter((item) => item.title !== '' || item.summary);
    items.sort((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
    const taken = items.slice(0, MAX_ITEMS);
    return { ok: true, format, encoding, items: taken, leftOut: found.length - taken.length };
  } catch (error) {
    if (error instanceof DocumentError) return parseFailure(error.failure, error.message);
    const cause = error instanceof MalformedError ? error.cause : error;
    const detail = cause instanceof Error ? cause.message : String(cause);
    return parseFailure(/nested tags/i.test(detail) ? 'too_deep' : 'malformed', detail.slice(0, 200));
  }
}

interface FeedItems {
  readonly format: FeedFormat;
  readonly base: string | undefined;
  readonly items: readonly Candidates[];
}

/** The root element decides: a search for `<rss` would also find it in the text of an article. */
function parseXml(document: string): FeedItems {
  const { root, text } = checkXml(document);
  if (root === 'rss') return parseRss(text);
  if (root === 'feed') return parseAtom(text);
  if (root === 'rdf') return parseRdf(text);
  throw new DocumentError('not_a_feed', root === 'html' ? 'it is an HTML page' : `its root element is ${root}`);
}

function parseRss(text: string): FeedItems {
  const { xml, items = [] } = parseRssFeed(text);
  const found = items.map((item): Candidates => {
    const { atom, dc, dcterms, media, itunes } = item;
    const permalink = item.guid?.isPermaLink === false ? undefined : absoluteUrl(item.guid?.value);
    return {
      guid: item.guid?.value ?? atom?.id ?? dc?.identifiers?.[0],
      links: [item.link, ...pages(atom?.links), permalink],
      base: item.xml?.base,
      titles: [
        item.title,
        dc?.titles?.[0],
        atom?.title?.value,
        itunes?.title,
        ...mediaTitles(media),
        item.source?.title,
      ],
      summaries: [
        item.description,
        item.content?.encoded,
        dc?.descriptions?.[0],
        atom?.summary?.value,
        media?.description?.value,
      ],
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
  return { format: 'rss', base: xml?.base, items: found };
}

function parseAtom(text: string): FeedItems {
  const { xml, entries = [] } = parseAtomFeed(text);
  const found = entries.map(
    ({ id, links, title, summary, content, published, updated, dc, media, source, xml: own }): Candidates => ({
      guid: id,
      links: [...pages(links), content?.src, absoluteUrl(id)],
      base: own?.base,
      titles: [title?.value, dc?.titles?.[0], ...mediaTitles(media), source?.title?.value],
      summaries: [summary?.value, content?.value, media?.description?.value, media?.groups?.[0]?.description?.value],
      dates: [published, updated],
    }),
  );
  return { format: 'atom', base: xml?.base, items: found };
}

function parseRdf(text: string): FeedItems {
  const { xml, items = [] } = parseRdfFeed(text);
  const found = items.map(
    ({ title, link, description, rdf, dc, dcterms, content, atom, media, xml: own }): Candidates => ({
      guid: rdf?.about ?? dc?.identifiers?.[0],
      links: [link, absoluteUrl(rdf?.about)],
      base: own?.base,
      titles: [title, dc?.titles?.[0], ...mediaTitles(media)],
      summaries: [description, content?.encoded, dc?.descriptions?.[0]],
      dates: [dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0], atom?.published, atom?.updated],
    }),
  );
  return { format: 'rdf', base: xml?.base, items: found };
}

function parseJson(document: string): FeedItems {
  checkJson(document);
  const parsed: unknown = JSON.parse(document);
  const { version, items } = parsed as { version?: unknown; items?: unknown };
  // feedsmith accepts any object with a title and items, such as the response of another API.
  if (!String(version).includes('jsonfeed.org/version/') || (items !== undefined && !Array.isArray(items)))
    throw new DocumentError('not_a_feed', 'it is JSON, but not a JSON Feed');
  const found = (parseJsonFeed(parsed).items ?? []).map(
    (item): Candidates => ({
      guid: item.id,
      links: [item.url, item.external_url, absoluteUrl(item.id)],
      base: undefined,
      titles: [item.title],
      summaries: [item.summary, item.content_text, item.content_html],
      dates: [item.date_published, item.date_modified],
    }),
  );
  return { format: 'json', base: undefined, items: found };
}

function itemOf({ guid, links, base, titles, summaries, dates }: Candidates, feedBase: string): ParsedItem {
  const from = resolveUrl(base, feedBase) ?? feedBase;
  const url = links.map((link) => resolveUrl(link, from)).find((link) => link !== null) ?? null;
  const publishedAt = dates.map((date) => parseDate(date)).find((date) => date !== null) ?? null;
  return {
    guid: guid?.slice(0, MAX_ID) ?? null,
    url,
    title: decodeEncodedWords((titles.find(Boolean) ?? '').slice(0, MAX_TITLE)),
    summary: summaries.find(Boolean)?.slice(0, MAX_SUMMARY) ?? null,
    publishedAt,
  };
}

interface MediaTitle {
  readonly title?: { readonly value?: string | undefined } | undefined;
}

interface Media extends MediaTitle {
  readonly groups?: readonly (MediaTitle & { readonly contents?: readonly MediaTitle[] | undefined })[] | undefined;
  readonly contents?: readonly MediaTitle[] | undefined;
}

/** Titles of the pictures and videos of an item that has no other. */
const mediaTitles = ({ title, groups = [], contents = [] }: Media = {}): (string | undefined)[] => [
  title?.value,
  ...groups.flatMap((group) => [group.title?.value, group.contents?.[0]?.title?.value]),
  ...contents.map((content) => content.title?.value),
];

interface Link {
  readonly href?: string | undefined;
  readonly rel?: string | undefined;
}

/** Links to the page of an entry; `self`, `edit`, `enclosure` and others are not. */
const pages = (links: readonly Link[] = []): (string | undefined)[] =>
  links.filter(({ rel }) => rel === undefined || rel === 'alternate').map(({ href }) => href);

/** Most ids are URLs, which can replace a missing link. */
const absoluteUrl = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;

function resolveUrl(link: string | undefined, base: string): string | null {
  if (link === undefined) return null;
  const url = URL.parse(link, base);
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ID ? url.href : null;
}
