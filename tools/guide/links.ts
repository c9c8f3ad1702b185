// The links of a Markdown page, and the anchors that links to it may name.
import { slugOf } from '../../packages/guide/src/slug.ts';

export interface Link {
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

const INLINE = /\]\(<?([^()<>\s]+(?:\([^()\s]*\))?)>?(?:\s+"[^"]*")?\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?/g;
const ATTRIBUTE = /<(?:a|img|source|picture)\b[^>]*?\b(?:href|src|srcset)="([^"\s]+)/g;

/** Links, references and pictures outside code. */
export function linksOf(markdown: string): Link[] {
  return proseOf(markdown).flatMap((text, index) =>
    [INLINE, DEFINITION, ATTRIBUTE].flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, target]) => ({ target: target!, line: index + 1 })),
    ),
  );
}

/** Those of the headings, numbered if a heading occurs again, and of elements with an id. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const times = new Map<string, number>();
  const lines = markdown.split('\n');
  const prose = proseOf(markdown);
  for (const [index, text] of prose.entries()) {
    for (const [, id] of text.matchAll(/<\w+[^>]*?\b(?:id|name)="([^"]+)"/g)) anchors.add(id!);
    if (!/^#{1,6} /.test(text)) continue;
    const [, own] = / \{#([\w-]+)\}\s*$/.exec(text) ?? [];
    // With the code in it, without the markup around it.
    const plain = lines[index]!.replace(/^#+ /, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]+>/g, '');
    const slug = own ?? slugOf(plain);
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

/** The lines, with code blocks, code in lines and comments left out. */
function proseOf(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split('\n').map((line) => {
    const mark = /^ *(```+|~~~+)/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      return '';
    }
    fence = mark;
    return fence === null ? line.replace(/(`+)[^`].*?\1/g, '').replace(/<!--.*?-->/g, '') : '';
  });
}
