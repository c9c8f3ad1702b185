// Prepares the Markdown files of the repository for the site: links between files become links between pages, links to files
// that are no pages become plain text, and pictures and directives of the block runner are resolved.
import { posix } from 'node:path';
import type { SitePage } from './contents.ts';

export interface StagedPage {
  readonly page: SitePage;
  /** The first heading. */
  readonly heading: string;
  /** The first sentence as plain text. */
  readonly description: string;
  readonly markdown: string;
  /** Pictures, by their path from the root of the repository. */
  readonly pictures: readonly string[];
}

/** Where the pictures of docs/ are on the site. */
const PICTURES = 'docs/pictures/';
const FENCE = /^ *```/;
const DIRECTIVE = /^ *<!-- (?:run|file|not run|page not run)\b.*-->\n/gm;
const LINK = /(!?)\[((?:[^\][]|\[[^\]]*\](?:\([^)]*\))?)*)\]\(([^()\s]+)\)/g;
const IMAGE = /(<img [^>]*?src=")([^":]+)/g;

/** `pages`: all pages, to find the targets of links. */
export function stagePage(page: SitePage, source: string, pages: readonly SitePage[]): StagedPage {
  const bySource = new Map(pages.map((each) => [each.source, each]));
  const pictures: string[] = [];
  const replaceLink = (all: string, bang: string, text: string, target: string): string => {
    // A page of the service outside the site, such as the API reference.
    if (target.startsWith('/')) return `<a href="${target}" target="_self">${text}</a>`;
    if (/^([a-z]+:|#)/i.test(target)) return all;
    const [file = '', anchor] = target.split('#');
    const path = posix.join(posix.dirname(page.source), file);
    if (bang !== '' || path.startsWith(PICTURES)) {
      pictures.push(path);
      return `${bang}[${text}](${relative(page.path, path.replace(PICTURES, 'pictures/'))})`;
    }
    const linked = bySource.get(path);
    if (!linked) return text;
    return `[${replaceLinks(text)}](${relative(page.path, `${linked.path}.md`)}${anchor === undefined ? '' : `#${anchor}`})`;
  };
  const replaceLinks = (text: string): string =>
    text.replace(LINK, replaceLink).replace(IMAGE, (_, start: string, target: string) => {
      const path = posix.join(posix.dirname(page.source), target);
      pictures.push(path);
      return `${start}${relative(page.path, path.replace(PICTURES, 'pictures/'))}`;
    });
  const markdown = outsideFences(source.replace(DIRECTIVE, ''), replaceLinks);
  const heading = /^# (.+)$/m.exec(markdown)?.[1];
  if (heading === undefined) throw new Error(`${page.source} has no heading`);
  return { page, heading: plain(heading), description: descriptionOf(markdown), markdown, pictures };
}

/** Applies `change` to the text between code blocks. */
function outsideFences(markdown: string, change: (text: string) => string): string {
  const parts: string[] = [];
  let part: string[] = [];
  let inside = false;
  const end = (): void => {
    if (part.length === 0) return;
    const text = part.join('\n');
    parts.push(inside ? text : change(text));
    part = [];
  };
  for (const line of markdown.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence && !inside) end();
    if (isFence && !inside) inside = true;
    else if (isFence) {
      part.push(line);
      end();
      inside = false;
      continue;
    }
    part.push(line);
  }
  end();
  return parts.join('\n');
}

function descriptionOf(markdown: string): string {
  const paragraph = markdown
    .split(/\n{2,}/)
    .find((text) => text !== '' && !/^(#|!\[|\[!\[|```|<|- |\||>|---)/.test(text.trim()));
  const [sentence = ''] = /^.*?[.:](?=\s|$)|^.*/.exec(plain(paragraph ?? '')) ?? [];
  return sentence.replace(/:$/, '.');
}

const plain = (text: string): string =>
  text
    .replace(/!?\[((?:[^\][])*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A relative link from one page of the site to another file of it. */
const relative = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};
