// /llms.txt: a short index of the documentation for language models (https://llmstxt.org): a title, a summary, and lists of links
// to Markdown pages.
import { markdownPath, REFERENCE_PAGES } from './reference/domains.ts';

export interface LinkedPage {
  /** Address of the Markdown version. */
  readonly path: string;
  readonly title: string;
  /** One sentence, or empty. */
  readonly description: string;
}

const link = ({ path, title, description }: LinkedPage): string =>
  `- [${title}](${path})${description === '' ? '' : `: ${description}`}\n`;

export function llmsText(guidePages: readonly LinkedPage[] = []): string {
  const reference = REFERENCE_PAGES.map((page) => link({ ...page, path: markdownPath(page) }));
  const guides = guidePages.length === 0 ? '' : `\n## Guides\n\n${guidePages.map(link).join('')}`;
  return `# Tickwire

> Self-hosted service for market data, verified trading signals and news, over REST and WebSocket. This is one installation of it.

Send an API key in the header \`X-API-Key\`. All times are UTC. Clients: \`@tickwire/client\` for TypeScript, \`tickwire\` for Python.

## API reference

${reference.join('')}${guides}
## Machine-readable descriptions

${link({ path: '/openapi.json', title: 'OpenAPI', description: 'REST endpoints, parameters, schemas and errors.' })}${link({ path: '/asyncapi.json', title: 'AsyncAPI', description: 'WebSocket channels and messages.' })}`;
}
