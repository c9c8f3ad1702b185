// Looks over a document once, in time proportional to its length, before a parser sees it: what could cost a parser more
// than that is taken out or refused by name.
//
// feedsmith and the fast-xml-parser under it expand no entity of a DOCTYPE and nest at most 100 elements. What is left are
// shapes in which they look for an end again and again; each ends here.

/** Elements within elements. Markup that forgot to close its tags counts as nested until the element around it ends. */
const MAX_DEPTH = 500;

export interface BoundedMarkup {
  /** The root's name without its prefix, lower case. */
  readonly root: string;
  /** From the root on, without comments and processing instructions: no DOCTYPE reaches a parser. */
  readonly text: string;
}

export class UnboundedMarkup extends Error {
  override name = 'UnboundedMarkup';
  readonly refusal: 'too_deep' | 'malformed' | 'truncated' | 'not_a_feed';

  constructor(refusal: UnboundedMarkup['refusal'], message: string) {
    super(message);
    this.refusal = refusal;
  }
}

export function boundXml(document: string): BoundedMarkup {
  const start = rootAt(document);
  const root = /^<(?:[\w.-]{1,100}:)?([\w.-]{1,100})[\s/>]/.exec(document.slice(start, start + 256))?.[1];
  if (root === undefined) throw new UnboundedMarkup('not_a_feed', 'it has no root element');
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
      throw new UnboundedMarkup('malformed', 'a declaration stands inside the document');
    } else if (document.startsWith('</', at)) {
      end = after(document, '>', at);
      // Closes what was left open inside, as browsers do; a name that is not open closes nothing.
      const name = document.slice(at + 2, end - 1).trim();
      const level = open.lastIndexOf(name);
      if (level >= 0) open.length = level;
    } else {
      end = tagEnd(document, at);
      if (document[end - 2] !== '/') open.push(nameAt(document, at + 1, end));
      if (open.length > MAX_DEPTH) throw new UnboundedMarkup('too_deep', `more than ${MAX_DEPTH} elements are nested`);
    }
    at = document.indexOf('<', end);
  }
  if (open.length > 0) throw new UnboundedMarkup('truncated', 'it ends before its root element does');
  kept.push(document.slice(keptTo));
  return { root: root.toLowerCase(), text: kept.join('') };
}

/** Refuses JSON that is nested deeper than a parser's stack may bear. */
export function boundJson(document: string): void {
  let depth = 0;
  for (let at = 0; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(document, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) throw new UnboundedMarkup('too_deep', `more than ${MAX_DEPTH} values are nested`);
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

/** Past the declaration, comments and the DOCTYPE with whatever it declares. */
function rootAt(document: string): number {
  let at = document.indexOf('<');
  while (at !== -1) {
    if (document.startsWith('<?', at)) at = after(document, '?>', at);
    else if (document.startsWith('<!--', at)) at = after(document, '-->', at + 4);
    else if (document.startsWith('<!', at)) at = doctypeEnd(document, at);
    else return at;
    at = document.indexOf('<', at);
  }
  throw new UnboundedMarkup('not_a_feed', 'it has no root element');
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
  throw new UnboundedMarkup('truncated', 'its DOCTYPE has no end');
}

function tagEnd(document: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
      else if (code === 0x3c && document.startsWith('<![', at))
        throw new UnboundedMarkup('malformed', 'a section stands inside a tag');
    } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === 0x3e) return at + 1;
  }
  throw new UnboundedMarkup('truncated', 'a tag has no end');
}

function nameAt(document: string, start: number, end: number): string {
  let at = start;
  while (at < end - 1 && !/[\s/]/.test(document[at]!)) at++;
  return document.slice(start, at);
}

function after(document: string, mark: string, from: number): number {
  const at = document.indexOf(mark, from);
  if (at === -1) throw new UnboundedMarkup('truncated', `${mark} is missing`);
  return at + mark.length;
}
