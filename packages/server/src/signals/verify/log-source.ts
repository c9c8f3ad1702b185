// Reads a signal log page by page: from a store, or from a remote service.
import { canonicalJson, type LogHead } from '@tickwire/contract';
import type { SignalStore } from '../../store/signal-store.ts';
import type { LogLine } from './check-log.ts';

const PAGE = 1_000;
const TIMEOUT_MS = 30_000;
/** Wait after a 429 without Retry-After. */
const DEFAULT_WAIT_S = 5;
const MAX_WAIT_S = 120;
const MAX_ATTEMPTS = 10;

export interface LogSource {
  /** Known number of records, for the progress display. */
  readonly length: number;
  pages(): AsyncGenerator<LogLine[], void, undefined>;
}

export async function localLog(store: SignalStore): Promise<LogSource> {
  const tail = await store.tail();
  return {
    length: (tail?.n ?? -1) + 1,
    async *pages() {
      let after = -1;
      for (;;) {
        const page = await store.log(after, PAGE);
        if (page.length === 0) return;
        yield page;
        after = page.at(-1)!.n;
      }
    },
  };
}

/** The remote service could not be read. */
export class RemoteError extends Error {
  override name = 'RemoteError';
}

export interface RemoteOptions {
  readonly url: string;
  readonly key: string;
  readonly wait?: (ms: number) => Promise<void>;
}

export interface RemoteLog extends LogSource {
  readonly head: LogHead;
}

/** The head is fetched first, so that every record it covers is in the pages that follow. */
export async function remoteLog(options: RemoteOptions): Promise<RemoteLog> {
  const head = (await fetchJson(options, '/api/signals/head')) as LogHead;
  if (!Number.isSafeInteger(head?.n)) throw new RemoteError(`${options.url} has no signal log: it returned no head`);
  return {
    head,
    length: head.n + 1,
    async *pages() {
      let after = -1;
      for (;;) {
        const page = (await fetchJson(options, `/api/signals/log?after=${after}&limit=${PAGE}`)) as {
          items?: { hash: string; record: { n: number } }[];
        };
        if (!Array.isArray(page?.items)) throw new RemoteError(`${options.url} did not return a page of a log`);
        if (page.items.length === 0) return;
        yield page.items.map(({ hash, record }) => ({ hash, text: hashedText(record) }));
        const last = page.items.at(-1)!.record?.n;
        // Stops if a service keeps returning the same page.
        if (!Number.isSafeInteger(last) || last <= after) return;
        after = last;
      }
    },
  };
}

/** The hashed text. A record without canonical JSON is serialized as it is, and will fail the hash check. */
function hashedText(record: unknown): string {
  try {
    return canonicalJson(record);
  } catch {
    return JSON.stringify(record) ?? '';
  }
}

async function fetchJson({ url, key, wait = Bun.sleep }: RemoteOptions, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(new URL(path, url), {
        headers: { 'X-API-Key': key },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new RemoteError(`${url} does not respond: ${(error as Error).message}`);
    }
    if (response.ok) return response.json().catch(() => undefined);
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403)
      throw new RemoteError(
        `${url} rejects the key (${response.status}): set TICKWIRE_API_KEY to a key with the scope read`,
      );
    if (response.status !== 429 || attempt >= MAX_ATTEMPTS)
      throw new RemoteError(`${url} responded with status ${response.status} to ${path}`);
    const seconds = Number(response.headers.get('Retry-After') ?? DEFAULT_WAIT_S);
    await wait(1000 * Math.min(MAX_WAIT_S, Math.max(1, Number.isFinite(seconds) ? seconds : DEFAULT_WAIT_S)));
  }
}
