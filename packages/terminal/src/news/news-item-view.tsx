// One headline: its source, the instruments it names, what the market did after it, and a chart around its publication.

import { type NewsItemDetail, type NewsMarket, TickwireError } from '@tickwire/client';
import { MINUTE_MS } from '@tickwire/contract/durations.ts';
import { fromViewOf } from '@tickwire/contract/symbol-sentiment.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { ChoiceBar } from '../ui/button.tsx';
import { decimalsOf, NO_VALUE, price, signedFigure } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { exactly, moment } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { capital, certaintyText, externalAddress, sourcesText } from './labels.ts';
import { NewsChart } from './news-chart.tsx';
import { SentimentChip } from './news-item.tsx';

export type NewsItemServices = Pick<TerminalServices, 'client' | 'instruments' | 'quotes' | 'latestNews'>;

export interface NewsItemViewProps {
  readonly services: NewsItemServices;
  readonly id: string;
  /** Address of the list that the user came from. */
  readonly back: string;
}

const BEFORE_MS = 60 * MINUTE_MS;
/** As the service has them. */
const AFTER_MINUTES: readonly NewsMarket['after'][number]['minutes'][] = [5, 30, 60, 240];
const AFTER_MS = 240 * MINUTE_MS;
const RELOAD_MS = 60_000;
const MOST_SYMBOLS = 8;

export function NewsItemView({ services, id, back }: NewsItemViewProps) {
  const { client, latestNews } = services;
  const remote = useRemote(async (signal) => ({ item: await loadItem(client, id, signal) }), [id]);
  const published = remote.data?.item?.timestamp;
  useAbortEffect(
    (end) =>
      latestNews.subscribe(end, ({ item }) => {
        // The source has updated the headline.
        if (item?.id === id) void remote.refresh();
      }),
    [id],
  );
  useAbortEffect(
    (end) => {
      // Until everything is known that the market did.
      if (published === undefined || isOver(published)) return;
      const polling = poll(async () => Math.max(RELOAD_MS, (await remote.refresh()) * 1_000), RELOAD_MS);
      end.addEventListener('abort', () => polling.stop());
    },
    [id, published, published !== undefined && isOver(published)],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard.
    <article class="news-article" tabIndex={0}>
      <a class="back" href={back}>
        ← All news
      </a>
      <RemoteSection remote={remote}>
        {({ item }) => {
          // Data of the previous headline, until that of this one is there.
          if (item && item.id !== id) return <p class="empty-note">Loading…</p>;
          return item ? <LoadedItem key={id} services={services} item={item} /> : <Missing />;
        }}
      </RemoteSection>
    </article>
  );
}

/** `null` if the service has no such headline. */
async function loadItem(client: NewsItemServices['client'], id: string, signal: AbortSignal) {
  try {
    return await client.newsItem(id, { signal });
  } catch (error) {
    if (error instanceof TickwireError && error.status === 404) return null;
    throw error;
  }
}

const isOver = (timestamp: string): boolean => Date.now() > Date.parse(timestamp) + AFTER_MS + MINUTE_MS;

const Missing = () => (
  <div class="sorry">
    <h1>This headline was not found</h1>
    <p>This service does not have it, or the address is wrong.</p>
  </div>
);

function LoadedItem({ services, item }: { readonly services: NewsItemServices; readonly item: NewsItemDetail }) {
  const {
    title,
    source,
    url,
    category,
    symbols,
    cluster,
    revision,
    model,
    certainty,
    timestamp,
    published_at,
    market,
  } = item;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tickwire`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const address = externalAddress(url);
  const time = Date.parse(timestamp);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div class="news-facts line muted small">
        <SentimentChip item={item} />
        <span class="chip">{capital(category)}</span>
      </div>
      <Facts
        entries={[
          [
            'Source',
            address === null ? (
              source
            ) : (
              <a class="inline-link" href={address} target="_blank" rel="noopener noreferrer">
                {`${source} ↗`}
              </a>
            ),
          ],
          [published_at === null ? 'Received' : 'Published', `${exactly(time)} (${moment(timestamp, Date.now())})`],
          [
            'Instruments',
            symbols.length === 0
              ? 'none'
              : symbols.map((symbol) => (
                  <a key={symbol} class="news-symbol" href={pathOf('markets', symbol)}>
                    {symbol}
                  </a>
                )),
          ],
          ...(cluster > 1 ? [['Reported by', sourcesText(cluster)] as const] : []),
          ...(revision > 0 ? [['Updated', revision === 1 ? 'once' : `${revision} times`] as const] : []),
          ['Sentiment by', model],
          ...(certainty ? [['Confidence', certaintyText(certainty)] as const] : []),
        ]}
      />
      {market.length > 0 && <AfterPublication services={services} item={item} />}
    </>
  );
}

interface SymbolMarket extends NewsMarket {
  readonly digits: number;
  readonly scored: Pick<NewsItemDetail, 'sentiment' | 'sentiment_score' | 'certainty'>;
}

function AfterPublication({ services, item }: { readonly services: NewsItemServices; readonly item: NewsItemDetail }) {
  const { client, quotes, instruments } = services;
  const publishedAt = Date.parse(item.timestamp);
  const rows = item.market.slice(0, MOST_SYMBOLS).map((market): SymbolMarket => {
    const { symbol, at, after } = market;
    const pip = instruments.find((each) => each.symbol === symbol)?.pip_size ?? 1;
    const prices = [at ?? 0, ...after.map((later) => later.price)];
    const scored = fromViewOf(item, symbol);
    return {
      ...market,
      scored,
      digits: Math.max(quotes.row(symbol)?.digits ?? 0, ...[pip, ...prices].map(decimalsOf)),
    };
  });
  const [chosen, choose] = useState(rows[0]!.symbol);
  const shown = rows.find(({ symbol }) => symbol === chosen) ?? rows[0]!;
  return (
    <section class="news-after" aria-label="What the market did">
      <h2>What the market did</h2>
      <Table caption="After the headline" columns={COLUMNS} rows={rows} keyOf={({ symbol }) => symbol} empty="" />
      <p class="hint">
        {`Prices at the end of whole minutes, compared with the last one before the headline.${isOver(item.timestamp) ? '' : ' A dash: not over yet, or no price.'} A move after a headline does not show that the headline caused it.`}
      </p>
      {rows.length > 1 && (
        <ChoiceBar
          label="Instrument of the chart"
          choices={rows.map(({ symbol }) => [symbol, symbol] as const)}
          value={shown.symbol}
          onChange={choose}
        />
      )}
      <NewsChart
        client={client}
        symbol={shown.symbol}
        item={fromViewOf(item, shown.symbol)}
        range={{ from: publishedAt - BEFORE_MS, to: publishedAt + AFTER_MS }}
        digits={shown.digits}
      />
    </section>
  );
}

const laterText = (minutes: number): string => (minutes < 60 ? `${minutes} min later` : `${minutes / 60} h later`);

const COLUMNS: readonly Column<SymbolMarket>[] = [
  { head: 'Instrument', cell: ({ symbol }) => symbol },
  { head: 'Sentiment', cell: ({ scored }) => <SentimentChip item={scored} /> },
  { head: 'At the headline', cell: ({ at, digits }) => price(at, digits), numeric: true },
  ...AFTER_MINUTES.map((minutes) => ({
    head: laterText(minutes),
    cell: ({ after, digits }: SymbolMarket) => {
      const later = after.find((each) => each.minutes === minutes);
      if (!later) return NO_VALUE;
      return (
        <span class="move-after">
          {price(later.price, digits)}
          <Signed text={`${signedFigure(later.change_percent, 2)} %`} />
        </span>
      );
    },
    numeric: true,
  })),
];
