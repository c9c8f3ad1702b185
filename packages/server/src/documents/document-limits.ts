// Checks a document in linear time before a parser sees it, and removes or rejects whatever could cost the parser more than
// linear time. The same pass rewrites two dialects that the parser does not know: prefixes of RSS (`rss:item`), and text in
// base64.
//
// feedsmith and the underlying fast-xml-parser expand no entities of a DOCTYPE and nest at most 100 elements. This check
// covers the remaining cases: markup whose end they would search for again and again.

import { decodeBase64 } from './encoded-text.ts';

/** Maximum nesting. An unclosed element counts as nested until its parent ends. */
const MAX_DEPTH = 500;

/** Declares a prefix for RSS itself. The namespaces of its modules are longer: http://purl.org/rss/1.0/modules/content/ */
const RSS_NAMESPACE =
  /\sxmlns:([\w.-]{1,100})\s*=\s*["']https?:\/\/(?:purl\.org\/rss\/[\d.]+|(?:my|channel)\.netscape\.com\/rdf\/simple\/0\.9|backend\.userland\.com\/rss\d*|blogs\.law\.harvard\.edu\/tech\/rss|(?:www\.)?rssboard\.org\/rss-specification)\/?["']/gi;
const NAMESPACE = /\sxmlns\s*=\s*(?:"[^"]*"|'[^']*')/i;
/** Atom 0.3 marks base64 by its mode, later publishers by a binary type. */
const IN_BASE64 =
  /^<(?:[\w.-]{1,100}:)?(?:title|summary|description|content)\s(?:[^>]*\s)?(?:(?:mode|encoding)\s*=\s*["']base64|type\s*=\s*["']application\/octet-stream)["']/i;

export interface CheckedXml {
  /** Name of the root element, without prefix, in lower case. */
  readonly root: string;
  /** From the root element on, without DOCTYPE, comments and processing instructions. */
  readonly text: string;
}

export class DocumentError extends Error {
  override name = 'UnboundedMarkup';
  readonly failure: 'too_deep' | 'malformed' | 'truncated' | 'not_a_feed';

  constructor(failure: DocumentError['failure'], message: string) {
    super(message);
    this.failure = failure;
  }
}

export function checkXml(document: string): CheckedXml {
  const start = rootAt(document);
  const root = /^<(?:[\w.-]{1,100}:)?([\w.-]{1,100})[\s/>]/.exec(document.slice(start, start + 256))?.[1];
  if (root === undefined) throw new DocumentError('not_a_feed', 'it has no root element');
  const prefixes = rssPrefixes(document.slice(start, tagEnd(document, start)), root.toLowerCase());
  const kept: string[] = [];
  const open: string[] = [];
  let keptTo = start;
  let at = start;
  const replace = (from: number, to: number, text = ''): void => {
    if (from === to) return;
    kept.push(document.slice(keptTo, from));
    if (text !== '') kept.push(text);
    keptTo = to;
  };
  while (at !== -1) {
    let end: number;
    if (document.startsWith('<!--', at) || document.startsWith('<?', at)) {
      end = document[at + 1] === '?' ? after(document, '?>', at + 2) : after(document, '-->', at + 4);
      replace(at, end);
    } else if (document.startsWith('<![', at)) {
      end = after(document, ']]>', at);
    } else if (document.startsWith('<!', at)) {
      throw new DocumentError('malformed', 'it has a declaration inside the root element');
    } else if (document.startsWith('</', at)) {
      end = after(document, '>', at);
      // Also closes unclosed elements inside, as browsers do. A closing tag without an opening tag is ignored.
      const name = document.slice(at + 2, end - 1).trim();
      const level = open.lastIndexOf(name);
      if (level >= 0) open.length = level;
      replace(at + 2, at + 2 + prefixLength(document.slice(at + 2, end), prefixes));
    } else {
      end = tagEnd(document, at);
      const name = nameAt(document, at + 1, end);
      replace(at + 1, at + 1 + prefixLength(name, prefixes));
      // RSS has no namespace, but some publishers declare that of Atom for all elements.
      const namespace = at === start && root.toLowerCase() === 'rss' ? NAMESPACE.exec(document.slice(at, end)) : null;
      if (namespace) replace(at + namespace.index, at + namespace.index + namespace[0].length);
      if (document[end - 2] !== '/') {
        open.push(name);
        if (IN_BASE64.test(document.slice(at, end))) {
          const { to, text } = base64At(document, end);
          replace(end, to, text);
          end = to;
        }
      }
      if (open.length > MAX_DEPTH) throw new DocumentError('too_deep', `more than ${MAX_DEPTH} nested elements`);
    }
    at = document.indexOf('<', end);
  }
  if (open.length > 0) throw new DocumentError('truncated', 'it ends before its root element is closed');
  kept.push(document.slice(keptTo));
  return { root: root.toLowerCase(), text: kept.join('') };
}

/** Prefixes of RSS elements: those with the namespace of RSS, that of the root element, or `rss` itself without a namespace. */
function rssPrefixes(rootTag: string, root: string): ReadonlySet<string> {
  const prefixes = new Set(/\sxmlns:rss\s*=/i.test(rootTag) ? [] : ['rss']);
  for (const [, prefix] of rootTag.matchAll(RSS_NAMESPACE)) prefixes.add(prefix!.toLowerCase());
  const own = /^<([\w.-]{1,100}):/.exec(rootTag)?.[1];
  if (root === 'rss' && own !== undefined) prefixes.add(own.toLowerCase());
  return prefixes;
}

/** Length of a prefix of RSS with its colon; 0 for any other name. */
function prefixLength(name: string, prefixes: ReadonlySet<string>): number {
  const colon = name.indexOf(':');
  return colon > 0 && prefixes.has(name.slice(0, colon).toLowerCase()) ? colon + 1 : 0;
}

/** The decoded text up to the next tag, and where it ends. Text that is not in base64 stays as it is. */
function base64At(document: string, from: number): { to: number; text: string } {
  const section = '<![CDATA[';
  const isSection = document.startsWith(section, from);
  const to = isSection ? after(document, ']]>', from) : document.indexOf('<', from);
  if (to === -1) throw new DocumentError('truncated', 'it ends before its root element is closed');
  const written = document.slice(from, to);
  const decoded = decodeBase64(isSection ? written.slice(section.length, -']]>'.length) : written);
  return { to, text: decoded?.replaceAll('&', '&amp;').replaceAll('<', '&lt;') ?? written };
}

/** Rejects JSON whose nesting could overflow the stack of a parser. */
export function checkJson(document: string): void {
  let depth = 0;
  for (let at = 0; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(document, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) throw new DocumentError('too_deep', `more than ${MAX_DEPTH} nested values`);
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;

function stringEnd(document: string, start: number): number {
  for (let at = start + 1; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === QUOTE) return at;
  }
  return document.length;
}

/** Start of the root element, after the XML declaration, comments and the DOCTYPE. */
function rootAt(document: string): number {
  let at = document.indexOf('<');
  while (at !== -1) {
    if (document.startsWith('<?', at)) at = after(document, '?>', at);
    else if (document.startsWith('<!--', at)) at = after(document, '-->', at + 4);
    else if (document.startsWith('<!', at)) at = doctypeEnd(document, at);
    else return at;
    at = document.indexOf('<', at);
  }
  throw new DocumentError('not_a_feed', 'it has no root element');
}

function doctypeEnd(document: string, start: number): number {
  let quote = 0;
  let depth = 0;
  for (let at = start + 2; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (document.startsWith('<!--', at)) at = after(document, '-->', at + 4) - 1;
    else if (code === 0x5b) depth++;
    else if (code === 0x5d) depth--;
    else if (code === 0x3e && depth <= 0) return at + 1;
  }
  throw new DocumentError('truncated', 'its DOCTYPE is not closed');
}

function tagEnd(document: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
      else if (code === 0x3c && document.startsWith('<![', at))
        throw new DocumentError('malformed', 'a CDATA section inside a tag');
    } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === 0x3e) return at + 1;
  }
  throw new DocumentError('truncated', 'a tag is not closed');
}

function nameAt(document: string, start: number, end: number): string {
  let at = start;
  while (at < end - 1 && !/[\s/]/.test(document[at]!)) at++;
  return document.slice(start, at);
}

function after(document: string, mark: string, from: number): number {
  const at = document.indexOf(mark, from);
  if (at === -1) throw new DocumentError('truncated', `${mark} is missing`);
  return at + mark.length;
}
