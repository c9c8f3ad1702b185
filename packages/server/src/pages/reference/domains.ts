// The pages of the reference. Endpoints are on the page of their tag.
import { type Endpoint, TAGS } from '@tickwire/contract';

export interface GuideLink {
  readonly path: string;
  readonly title: string;
}

export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly tags: readonly Endpoint['tag'][];
  readonly guides: readonly GuideLink[];
}

const guide = (name: string, title: string): GuideLink => ({ path: `/guide/${name}`, title });

export const OVERVIEW: ReferencePage = {
  path: '/docs',
  title: 'API reference',
  description: 'First calls, authentication, limits and versioning, and a list of everything in the reference.',
  tags: [],
  guides: [
    guide('', 'Getting started'),
    guide('reference/rate-limits', 'Rate limits'),
    guide('reference/versioning', 'Versions'),
    guide('reference/glossary', 'Glossary'),
  ],
};

const PAGES: readonly Omit<ReferencePage, 'tags'>[] = [
  {
    path: '/docs/market',
    title: 'Market',
    description:
      'Instruments, current quotes, trading hours and position sizes, and the data feed of TradingView charts.',
    guides: [guide('terminal', 'Terminal'), guide('plugs', 'Charts and spreadsheets')],
  },
  {
    path: '/docs/history',
    title: 'History',
    description: 'Bars of any interval, recorded ticks, indicators, volume profiles and footprints.',
    guides: [
      guide('history', 'History'),
      guide('replay', 'Replay'),
      guide('indicators', 'Indicators'),
      guide('order-flow', 'Order flow'),
      guide('export', 'Export'),
    ],
  },
  {
    path: '/docs/signals',
    title: 'Signals',
    description:
      'Publishing signals, the feed with verified results, the public log, and the track records of publishers.',
    guides: [guide('signals', 'Signals'), guide('reference/signals', 'Rules of signals')],
  },
  {
    path: '/docs/news',
    title: 'News',
    description: 'News with sentiment, the economic calendar, and the models for sentiment and briefs.',
    guides: [guide('news', 'News'), guide('reference/news', 'Rules of news'), guide('calendar', 'Economic calendar')],
  },
  {
    path: '/docs/alerts',
    title: 'Alerts',
    description: 'Alerts, subscriptions, destinations, and the delivery of their messages.',
    guides: [guide('alerts', 'Alerts'), guide('reference/alerts', 'Rules of alerts')],
  },
  {
    path: '/docs/accounts',
    title: 'Accounts',
    description: 'Sign-up, sign-in, sessions, API keys, data links and usage.',
    guides: [guide('accounts', 'Accounts and keys'), guide('reference/accounts', 'Rules of accounts')],
  },
  {
    path: '/docs/operating',
    title: 'Operating',
    description: 'Operator endpoints, data from your own sources, and the state of the service.',
    guides: [
      guide('self-hosting', 'Self-hosting'),
      guide('configuration', 'Configuration'),
      guide('feeds', 'Feeds'),
      guide('operating', 'For many users'),
      guide('reference/monitoring', 'Monitoring'),
    ],
  },
  {
    path: '/docs/streams',
    title: 'Streams',
    description: 'Live messages over WebSocket and as server-sent events: requests, messages, notices and close codes.',
    guides: [guide('streaming', 'Streams'), guide('reference/streaming', 'Rules of streams')],
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    description: 'Every error code, with its HTTP status or close code and whether a retry can help.',
    guides: [guide('reference/errors', 'Errors')],
  },
];

export const DOMAINS: readonly ReferencePage[] = PAGES.map((page) => ({
  ...page,
  tags: (Object.keys(TAGS) as Endpoint['tag'][]).filter((tag) => TAGS[tag].page === page.path),
}));

export const REFERENCE_PAGES: readonly ReferencePage[] = [OVERVIEW, ...DOMAINS];

/** The address of the Markdown version. */
export const markdownPath = ({ path }: ReferencePage): string => `${path}.md`;
