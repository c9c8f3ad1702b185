// Reads a signal log page by page: from a store, or from a remote service.
import { canonicalJson, type KeptHead, KeptHeadPage, LogHead } from '@tickwire/contract';
import type { SignalStore } from '../../store/signal-store.ts';
import type { LogLine } from './check-log.ts';
import { RemoteError, type RemoteService } from './remote-service.ts';

const PAGE = 1_000;

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
        if (page.length > 0) yield page;
        // The end, as of this query: waiting for an empty page could take forever while signals are published.
        if (page.length < PAGE) return;
        after = page.at(-1)!.n;
      }
    },
  };
}

export interface RemoteLog extends LogSource {
  readonly head: LogHead;
  /** Heads that the service has kept. */
  readonly kept: readonly KeptHead[];
}

/** The heads are fetched first, so that every record they cover is in the pages that follow. */
export async function remoteLog(service: RemoteService): Promise<RemoteLog> {
  const { url } = service;
  const head = LogHead.safeParse(await service.json('/api/signals/head'));
  if (!head.success) throw new RemoteError(`${url} has no signal log: it returned no head`);
  return {
    head: head.data,
    kept: await keptHeads(service),
    length: head.data.n + 1,
    async *pages() {
      let after = -1;
      for (;;) {
        const page = (await service.json(`/api/signals/log?after=${after}&limit=${PAGE}`)) as {
          items?: { hash: string; record: { n: number } }[];
        };
        if (!Array.isArray(page?.items)) throw new RemoteError(`${url} did not return a page of a log`);
        if (page.items.length === 0) return;
        yield page.items.map(({ hash, record }) => ({ hash, text: hashedText(record) }));
        const last = page.items.at(-1)!.record?.n;
        // Stops if a service keeps returning the same page.
        if (!Number.isSafeInteger(last) || last <= after) return;
        // While signals are published there may never be an empty page. A shorter page is not always the last one.
        if (page.items.length < PAGE && last >= head.data.n) return;
        after = last;
      }
    },
  };
}

/** A service of an older release keeps none. */
async function keptHeads(service: RemoteService): Promise<KeptHead[]> {
  const heads: KeptHead[] = [];
  for (let after = -1; ; ) {
    const answer = await service.json(`/api/signals/heads?after=${after}&limit=${PAGE}`);
    if (answer === null) return heads;
    const page = KeptHeadPage.safeParse(answer);
    if (!page.success) throw new RemoteError(`${service.url} did not return a page of heads`);
    const { items } = page.data;
    heads.push(...items);
    const last = items.at(-1)?.n ?? -1;
    if (last <= after) return heads;
    after = last;
  }
}

/** The hashed text. A record without canonical JSON is serialized as it is, and will fail the hash check. */
function hashedText(record: unknown): string {
  try {
    return canonicalJson(record);
  } catch {
    return JSON.stringify(record) ?? '';
  }
}
