// Checks a document in linear time before a parser sees it, and removes or rejects whatever could cost the parser more than
// linear time.
//
// feedsmith and the underlying fast-xml-parser expand no entities of a DOCTYPE and nest at most 100 elements. This check
// covers the remaining cases: markup whose end they would search for again and again.

/** Maximum nesting. An unclosed element counts as nested until its parent ends. */
const MAX_DEPTH = 500;

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
  const kept: string[] = [];
  const open: string[] = [];
  let keptTo = start;
  let at = start;
  while (at !== -1) {
    let end: number;
    if (document.startsWith('<!--', at) || document.startsWith('<?', at)) {
      end = document[at + 1] === '?' ? after(document, '?>', at + 2) : after(document, '-->', at + 4);
      kept.push(document.slice(keptTo, at));
      keptTo = end;
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
    } else {
      end = tagEnd(document, at);
      if (document[end - 2] !== '/') open.push(nameAt(document, at + 1, end));
      if (open.length > MAX_DEPTH) throw new DocumentError('too_deep', `more than ${MAX_DEPTH} nested elements`);
    }
    at = document.indexOf('<', end);
  }
  if (open.length > 0) throw new DocumentError('truncated', 'it ends before its root element is closed');
  kept.push(document.slice(keptTo));
  return { root: root.toLowerCase(), text: kept.join('') };
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
