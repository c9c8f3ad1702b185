// The code blocks of a Markdown page, with the directive in the line above each:
//
//   <!-- run: until 3 lines -->   a stream; it is stopped after that many lines of output
//   <!-- run: background -->      runs until the end of the page
//   <!-- run: fails -->           must end with an error
//   <!-- run: service -->         starts a service of its own, which the rest of the section (##) uses
//   <!-- run: socket /ws -->      JSON that is sent over a WebSocket, one message in each line
//   <!-- file: bot.ts -->         written to that file; a later block runs it
//   <!-- run: output of the background -->   what programs in the background have printed
//   <!-- not run: docker -->      an entry of unexecuted.ts, which says why and checks the block
//
// Blocks of JSON and text are the output of the block before, and compared with it. `<!-- page not run: … -->` in a line of its own
// is for all blocks of a page.

export type Directive =
  | { readonly kind: 'run' | 'background' | 'background output' | 'fails' | 'service' }
  | { readonly kind: 'lines'; readonly lines: number }
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'not run'; readonly name: string };

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of its fence, from 1. */
  readonly line: number;
  readonly directive: Directive;
  /** Number of headings before it. */
  readonly heading: number;
  /** Number of headings of the first two levels before it. */
  readonly section: number;
}

const FENCE = /^( *)```([\w-]*)\s*$/;
const COMMENT = /^ *<!-- ?((?:run|file|not run):.*?) ?-->$/;

const WHOLE_PAGE = /^<!-- page not run: (.+?) -->$/m;

/** The entry of unexecuted.ts for all blocks of the page, or null. */
export const pageNotRun = (markdown: string): string | null => WHOLE_PAGE.exec(markdown)?.[1] ?? null;

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let heading = 0;
  let section = 0;
  for (let at = 0; at < lines.length; at++) {
    const [, indent, language] = FENCE.exec(lines[at]!) ?? [];
    const comment = COMMENT.exec(lines[at]!)?.[1];
    if (comment !== undefined && !FENCE.test(lines[at + 1] ?? ''))
      throw new Error(`line ${at + 1}: "${comment}" is not above a code block`);
    if (/^#{1,6} /.test(lines[at]!)) heading++;
    if (/^##? /.test(lines[at]!)) section++;
    if (indent === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line === `${indent}\`\`\``);
    if (end < 0) throw new Error(`line ${at + 1}: the code block has no end`);
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const above = COMMENT.exec(lines[at - 1] ?? '')?.[1];
    const directive = directiveOf(above, at);
    blocks.push({ language: language!, text: body.join('\n'), line: at + 1, directive, heading, section });
    at = end;
  }
  return blocks;
}

function directiveOf(comment: string | undefined, line: number): Directive {
  if (comment === undefined) return { kind: 'run' };
  const [, verb, rest = ''] = /^(run|file|not run): *(.*)$/.exec(comment) ?? [];
  const count = /^until (\d+) lines?$/.exec(rest)?.[1];
  const path = /^socket (\/\S+)$/.exec(rest)?.[1];
  if (verb === 'file' && rest !== '') return { kind: 'file', name: rest };
  if (verb === 'not run' && rest !== '') return { kind: 'not run', name: rest };
  if (verb === 'run' && rest === 'output of the background') return { kind: 'background output' };
  if (verb === 'run' && count !== undefined) return { kind: 'lines', lines: Number(count) };
  if (verb === 'run' && path !== undefined) return { kind: 'socket', path };
  if (verb === 'run' && (rest === 'background' || rest === 'fails' || rest === 'service')) return { kind: rest };
  throw new Error(`line ${line}: "${comment}" is not a directive`);
}
