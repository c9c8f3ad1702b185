// Where a log is read from, page by page.
import { canonicalJson, type LogHead } from '@tickwire/contract';
import type { SignalStore } from '../../store/signal-store.ts';
import type { LogLine } from './check-log.ts';

const PAGE = 1_000;
const TIMEOUT_MS = 30_000;
/** Of a 429 that does not say how long to wait. */
const USUAL_WAIT_S = 5;
const MOST_WAIT_S = 120;
const ATTEMPTS = 10;

export interface LogSource {
  /** Records there are at least, for showing how far it is. */
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

/** The service cannot be asked. */
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

/** The head is asked for first: all it speaks of is in the pages that follow. */
export async function remoteLog(options: RemoteOptions): Promise<RemoteLog> {
  const head = (await ask(options, '/api/signals/head')) as LogHead;
  if (!Number.isSafeInteger(head?.n)) throw new RemoteError(`${options.url} has no signal log: it gave no head`);
  return {
    head,
    length: head.n + 1,
    async *pages() {
      let after = -1;
      for (;;) {
        const page = (await ask(options, `/api/signals/log?after=${after}&limit=${PAGE}`)) as {
          items?: { hash: string; record: { n: number } }[];
        };
        if (!Array.isArray(page?.items)) throw new RemoteError(`${options.url} gave no page of a log`);
        if (page.items.length === 0) return;
        yield page.items.map(({ hash, record }) => ({ hash, text: textOf(record) }));
        const last = page.items.at(-1)!.record?.n;
        // A service that gives the same page for ever must not be read for ever.
        if (!Number.isSafeInteger(last) || last <= after) return;
        after = last;
      }
    },
  };
}

/** What was hashed; what has no canonical JSON is left as it came, and will not have the hash. */
function textOf(record: unknown): string {
  try {
    return canonicalJson(record);
  } catch {
    return JSON.stringify(record) ?? '';
  }
}

async function ask({ url, key, wait = Bun.sleep }: RemoteOptions, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    let answer: Response;
    try {
      answer = await fetch(new URL(path, url), {
        headers: { 'X-API-Key': key },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new RemoteError(`${url} does not answer: ${(error as Error).message}`);
    }
    if (answer.ok) return answer.json().catch(() => undefined);
    await answer.body?.cancel();
    if (answer.status === 401 || answer.status === 403)
      throw new RemoteError(`${url} refuses the key (${answer.status}): set TICKWIRE_API_KEY to one that may read`);
    if (answer.status !== 429 || attempt >= ATTEMPTS)
      throw new RemoteError(`${url} answers ${answer.status} to ${path}`);
    const seconds = Number(answer.headers.get('Retry-After') ?? USUAL_WAIT_S);
    await wait(1000 * Math.min(MOST_WAIT_S, Math.max(1, Number.isFinite(seconds) ? seconds : USUAL_WAIT_S)));
  }
}
