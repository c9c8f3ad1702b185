// The latest headlines of one instrument, for the markets page. They are live for a signed-in user; an API key may have too few
// streams, so its headlines are reloaded now and then.

import { useSignal } from '@preact/signals';
import type { NewsDetail } from '@tickwire/client';
import { fromViewOf } from '@tickwire/contract/symbol-sentiment.ts';
import { upsert } from '../services/news-order.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { ALL_NEWS, newsAddress } from './news-filter.ts';
import { ShortNewsItem } from './news-item.tsx';

const MAX_HEADLINES = 8;
const RELOAD_MS = 120_000;

export interface HeadlinesProps {
  readonly services: Pick<TerminalServices, 'client' | 'session' | 'latestNews'>;
  /** Give the component a key, so that another instrument starts empty. */
  readonly symbol: string;
}

export function Headlines({ services: { client, session, latestNews }, symbol }: HeadlinesProps) {
  const remote = useRemote(async (signal) =>
    session.signedIn
      ? { items: await latestNews.first(symbol, MAX_HEADLINES, signal) }
      : client.news({ symbol, detail: true, limit: MAX_HEADLINES }, { signal }),
  );
  // A response may be older than these.
  const received = useSignal<readonly NewsDetail[]>([]);
  useAbortEffect((signal) => {
    if (!session.signedIn) return;
    latestNews.subscribe(signal, ({ item }) => {
      if (item?.symbols.includes(symbol)) received.value = [...received.peek(), item].slice(-MAX_HEADLINES);
      else if (!item && latestNews.state === 'ready') void remote.refresh();
    });
  }, []);
  const merged = (items: readonly NewsDetail[]): readonly NewsDetail[] => {
    const all = [...items];
    for (const item of received.value) upsert(all, item);
    return all.slice(0, MAX_HEADLINES).map((item) => fromViewOf(item, symbol));
  };
  return (
    <section class="headlines" aria-label="Latest headlines">
      <header class="headlines-head line">
        <h2>Headlines</h2>
        <a class="quiet" href={newsAddress({ ...ALL_NEWS, symbol })}>
          All news
        </a>
      </header>
      <RemoteSection remote={remote} {...(!session.signedIn && { everyMs: RELOAD_MS })}>
        {({ items }) => {
          const shown = merged(items);
          if (shown.length === 0) return <p class="empty-note">{`No news on ${symbol} yet.`}</p>;
          return (
            <ol class="plain-list">
              {shown.map((item) => (
                <ShortNewsItem key={item.id} item={item} />
              ))}
            </ol>
          );
        }}
      </RemoteSection>
    </section>
  );
}
