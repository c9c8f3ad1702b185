// The workloads of the REST scenario, and the input of the peers: responses, keys and rows.

export const REST_WORKLOADS = [
  { title: 'REST quote', path: '/api/market/EURUSD/quote', connections: 64, kind: 'quote' },
  { title: 'REST history', path: '/api/market/EURUSD?timeframe=1m&bars=500', connections: 32, kind: 'history' },
] as const;
export type RestWorkload = (typeof REST_WORKLOADS)[number];

/** Requests are spread over this many accounts, so that allowances are not the limit. */
export const ACCOUNTS = 500;

export interface SampleResponse {
  readonly path: string;
  readonly body: string;
  /** Headers of our response, without those that every server adds. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RestSpec {
  readonly quote: SampleResponse;
  readonly history: SampleResponse;
  readonly keys: readonly string[];
  readonly limit: number;
  readonly databaseFile: string;
  /** Folder of better-sqlite3; `null` if it is missing. */
  readonly sqlite: string | null;
  readonly fastify: string;
}
