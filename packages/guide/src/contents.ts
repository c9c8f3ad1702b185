// What is on the site, in the order of its side bar. Every page is a Markdown file of the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SitePage {
  /** From the root of the repository. */
  readonly source: string;
  /** From the root of the site, without extension; `index` for the first page of a folder. */
  readonly path: string;
  /** In the side bar. */
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** A page in docs/, whose path is that of its file. */
const doc = (path: string, title: string): SitePage => ({ source: `docs/${path}.md`, path, title });

export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      doc('index', 'Getting started'),
      doc('start/real-markets', 'With real markets'),
      doc('start/curl', 'With curl'),
      doc('start/typescript', 'With TypeScript'),
      doc('start/python', 'With Python'),
      doc('start/browser', 'In a browser'),
      doc('moving', 'Moving from…'),
    ],
  },
  {
    title: 'Concepts',
    pages: [
      doc('concepts/realms', 'Realms'),
      doc('concepts/epochs', 'Epochs and numbers'),
      doc('concepts/decisions', 'Decisions'),
      doc('concepts/coverage', 'Coverage'),
    ],
  },
  {
    title: 'Topics',
    pages: [
      doc('streaming', 'Streams'),
      doc('history', 'History'),
      doc('replay', 'Replay'),
      doc('indicators', 'Indicators'),
      doc('order-flow', 'Order flow'),
      doc('signals', 'Signals'),
      doc('signals-from-chat', 'Signals from chat'),
      doc('news', 'News'),
      doc('calendar', 'Economic calendar'),
      doc('alerts', 'Alerts'),
      doc('terminal', 'Terminal'),
      doc('plugs', 'Charts and spreadsheets'),
      doc('mcp', 'AI agents (MCP)'),
    ],
  },
  {
    title: 'Clients',
    pages: [
      { source: 'packages/client/README.md', path: 'clients/typescript', title: 'TypeScript' },
      { source: 'python/README.md', path: 'clients/python', title: 'Python' },
    ],
  },
  {
    title: 'Recipes',
    pages: [
      doc('recipes/pandas', 'pandas'),
      doc('recipes/duckdb', 'DuckDB'),
      doc('recipes/react-chart', 'A chart in React'),
      doc('recipes/telegram-bot', 'Telegram bot'),
      doc('recipes/freqtrade', 'freqtrade'),
      doc('recipes/lean', 'Lean'),
      doc('recipes/grafana', 'Grafana'),
      doc('recipes/tradingview', 'TradingView'),
      doc('recipes/spreadsheets', 'Spreadsheets'),
      doc('recipes/mcp', 'Agents'),
    ],
  },
  {
    title: 'Run it',
    pages: [
      doc('self-hosting', 'Self-hosting'),
      doc('configuration', 'Configuration'),
      doc('accounts', 'Accounts and keys'),
      doc('feeds', 'Feeds'),
      doc('import', 'Import'),
      doc('export', 'Export'),
      doc('operating', 'For many users'),
      doc('scaling', 'Scaling'),
      doc('security', 'Security'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      doc('reference/glossary', 'Glossary'),
      doc('reference/errors', 'Errors'),
      doc('reference/rate-limits', 'Rate limits'),
      doc('reference/versioning', 'Versions'),
      doc('reference/configuration', 'All settings'),
      doc('reference/accounts', 'Rules of accounts'),
      doc('reference/streaming', 'Rules of streams'),
      doc('reference/signals', 'Rules of signals'),
      doc('reference/alerts', 'Rules of alerts'),
      doc('reference/news', 'Rules of news'),
      doc('reference/terminal', 'Terminal in detail'),
      doc('reference/typescript', 'TypeScript client'),
      doc('reference/python', 'Python package'),
      doc('reference/feeds', 'Rules of feeds'),
      doc('reference/venues', 'Venues'),
      doc('reference/trading-hours', 'Trading hours'),
      doc('reference/import', 'Layouts of imports'),
      doc('reference/monitoring', 'Monitoring'),
      doc('reference/broker-figures', 'Broker figures'),
      doc('reference/cluster', 'Cluster'),
    ],
  },
  {
    title: 'About',
    pages: [
      doc('comparison', 'Comparison'),
      doc('performance', 'Performance'),
      { source: 'CHANGELOG.md', path: 'changelog', title: 'Changelog' },
      { source: 'packages/sentiment/MODEL-CARD.md', path: 'model-card', title: 'Model card' },
      { source: 'SECURITY.md', path: 'threat-model', title: 'Threat model' },
      { source: 'ARCHITECTURE.md', path: 'architecture', title: 'Architecture' },
    ],
  },
];

/** Why things are as they are: one page for each record in docs/decisions. */
export const DECISIONS: Section = { title: 'Design decisions', pages: decisionPages() };

/** The title of the section of each page, in the order of the side bar. */
export const SECTION_OF: ReadonlyMap<SitePage, string> = new Map(
  [...SECTIONS, DECISIONS].flatMap(({ title, pages }) => pages.map((page) => [page, title] as const)),
);

export const ALL_PAGES: readonly SitePage[] = [...SECTION_OF.keys()];

function decisionPages(): SitePage[] {
  const folder = join(import.meta.dirname, '../../../docs/decisions');
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.sort().map((name) => {
    const [, heading = name] = /^# (?:\d{4}: )?(.+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return doc(`decisions/${name.replace(/\.md$/, '')}`, heading.replaceAll('`', ''));
  });
}
