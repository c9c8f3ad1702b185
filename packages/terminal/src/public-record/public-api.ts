// Loads public records without a key. If the service asks to wait, the request is repeated after that time.
import type { PublicRecordPage, PublicSignal, PublisherDetail } from '@tickwire/client';

/** More signals are left to `tickwire verify`. */
const MAX_SIGNALS = 20_000;
const MAX_TRIES = 5;

export interface LoadedRecords {
  readonly signals: readonly PublicSignal[];
  /** False if there are more signals than are loaded. */
  readonly complete: boolean;
}

export interface PublicApi {
  publisher(): Promise<{ readonly record: PublisherDetail; readonly simulated: boolean }>;
  records(before?: number): Promise<PublicRecordPage>;
}

export function publicApi(name: string, signal: AbortSignal, load: typeof fetch = fetch): PublicApi {
  const path = `/public/publishers/${encodeURIComponent(name)}`;
  const get = async (url: string): Promise<Response> => {
    for (let tries = 1; ; tries++) {
      const response = await load(url, { signal, credentials: 'omit' });
      if (response.ok) return response;
      const seconds = Number(response.headers.get('retry-after'));
      if (!(seconds > 0) || tries === MAX_TRIES) throw new Error(`The service responded with ${response.status}.`);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  };
  return {
    async publisher() {
      const response = await get(path);
      const simulated = response.headers.get('data-source') === 'simulated';
      return { record: (await response.json()) as PublisherDetail, simulated };
    },
    async records(before) {
      const response = await get(`${path}/records${before === undefined ? '' : `?before=${before}`}`);
      return (await response.json()) as PublicRecordPage;
    },
  };
}

/** All signals, newest first. `onProgress` gets the number of loaded signals. */
export async function loadRecords(api: PublicApi, onProgress: (loaded: number) => void): Promise<LoadedRecords> {
  const signals: PublicSignal[] = [];
  for (let before: number | undefined; ; ) {
    const { items, next } = await api.records(before);
    signals.push(...items);
    onProgress(signals.length);
    if (next === null) return { signals, complete: true };
    if (signals.length >= MAX_SIGNALS) return { signals, complete: false };
    before = next;
  }
}
