// The work of the REST scenarios, and what the peers are told: the answers to give, the keys to know, the rows to query.

export const WORKS = [
  { title: 'REST quote', path: '/api/market/EURUSD/quote', connections: 64, kind: 'quote' },
  { title: 'REST history', path: '/api/market/EURUSD?timeframe=1m&bars=500', connections: 32, kind: 'history' },
] as const;
export type Work = (typeof WORKS)[number];

/** Requests are spread over so many, so that no allowance is the limit. */
export const ACCOUNTS = 500;

export interface Sample {
  readonly path: string;
  readonly body: string;
  /** Those of our answer, without what every server adds by itself. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RestSpec {
  readonly quote: Sample;
  readonly history: Sample;
  readonly keys: readonly string[];
  readonly limit: number;
  readonly databaseFile: string;
  /** Folder of better-sqlite3; null where there is none. */
  readonly sqlite: string | null;
  readonly fastify: string;
}
