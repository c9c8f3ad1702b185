// Resources: the list of instruments, the rules of signals and the glossary.
import { readFile } from 'node:fs/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool.ts';

/** Documents of this project, which are part of the source tree and of the container. */
const DOCUMENTS = [
  {
    name: 'signal-rules',
    file: 'signals.md',
    title: 'Rules of signals',
    description: 'How signals are accepted, filled and judged, and how track records are computed',
  },
  { name: 'glossary', file: 'glossary.md', title: 'Glossary', description: 'Terms with one exact meaning' },
] as const;

export function registerResources(server: McpServer, { instruments }: ToolContext): void {
  server.registerResource(
    'instruments',
    'tickwire://instruments',
    { title: 'Instruments', description: 'Symbol, name, type and digits of every instrument', mimeType: 'text/csv' },
    async ({ href }) => {
      const items = await instruments.all();
      const lines = items.map(({ symbol, name, type, digits }) =>
        [symbol, JSON.stringify(name), type, digits].join(','),
      );
      return {
        contents: [{ uri: href, mimeType: 'text/csv', text: ['symbol,name,type,digits', ...lines, ''].join('\n') }],
      };
    },
  );
  for (const { name, file, title, description } of DOCUMENTS)
    server.registerResource(
      name,
      `tickwire://docs/${name}`,
      { title, description, mimeType: 'text/markdown' },
      async ({ href }) => ({
        contents: [{ uri: href, mimeType: 'text/markdown', text: await readFile(documentUrl(file), 'utf8') }],
      }),
    );
}

const documentUrl = (file: string): URL => new URL(`../../../../docs/${file}`, import.meta.url);
