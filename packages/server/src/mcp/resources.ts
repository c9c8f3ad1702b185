// Resources: the list of instruments, the glossary, and the rules of signals, whose sections can be read one by one.
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import glossary from '../../../../docs/reference/glossary.md' with { type: 'text' };
import page from '../../../../docs/reference/signals.md' with { type: 'text' };
import type { ToolContext } from './tool.ts';

const RULES_URI = 'tickwire://docs/signal-rules';
const MARKDOWN = 'text/markdown';
/** Without the comments above code blocks, which are for the test that runs them. */
const rules = page.replaceAll(/^<!-- .* -->\n/gm, '');

export function registerResources(server: McpServer, { instruments }: ToolContext): void {
  server.registerResource(
    'instruments',
    'tickwire://instruments',
    { title: 'Instruments', description: 'Symbol, name, type and digits of every instrument', mimeType: 'text/csv' },
    async ({ href }) => {
      const items = await instruments.all();
      const lines = items.map(({ symbol, name, type, digits }) => [symbol, quoted(name), type, digits].join(','));
      const text = ['symbol,name,type,digits', ...lines, ''].join('\n');
      return { contents: [{ uri: href, mimeType: 'text/csv', text }] };
    },
  );
  server.registerResource(
    'glossary',
    'tickwire://docs/glossary',
    { title: 'Glossary', description: 'Terms with one exact meaning', mimeType: MARKDOWN },
    ({ href }) => markdown(href, glossary),
  );
  registerRules(server);
}

function registerRules(server: McpServer): void {
  const description = 'How signals are accepted, filled and judged, and how track records are computed';
  server.registerResource(
    'signal-rules',
    RULES_URI,
    { title: 'Rules of signals', description: `${description}: introduction and list of sections`, mimeType: MARKDOWN },
    ({ href }) => {
      const [introduction, ...sections] = sectionsOf(rules);
      const list = sections.map(({ name, title }) => `- ${title}: ${RULES_URI}/${name}`);
      return markdown(href, [introduction!.text, '', 'Sections:', ...list, ''].join('\n'));
    },
  );
  server.registerResource(
    'signal-rules-section',
    new ResourceTemplate(`${RULES_URI}/{section}`, {
      list: undefined,
      complete: {
        section: (given) =>
          sectionsOf(rules)
            .slice(1)
            .map(({ name }) => name)
            .filter((name) => name.startsWith(given)),
      },
    }),
    { title: 'A section of the rules of signals', mimeType: MARKDOWN },
    ({ href }, { section }) => {
      const found = sectionsOf(rules).find(({ name }) => name !== '' && name === section);
      if (!found) throw new ResourceNotFoundError(href);
      return markdown(href, found.text);
    },
  );
}

interface Section {
  /** As in links: lower case with hyphens; '' for the introduction. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The introduction and the sections of the second level. */
const sectionsOf = (document: string): Section[] =>
  document.split(/^(?=## )/m).map((text) => {
    const title = /^## (.+)$/m.exec(text.split('\n', 1)[0]!)?.[1] ?? '';
    return { name: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, text };
  });

const markdown = (uri: string, text: string) => ({ contents: [{ uri, mimeType: MARKDOWN, text }] });

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
