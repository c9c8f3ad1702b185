// A headline with its facts. It renders again only if the headline or the preferences change.
import type { NewsDetail } from '@tickwire/client';
import { pathOf } from '../ui/address.ts';
import { exactly, zoned } from '../ui/relative-time.ts';
import { ARROW, capital, certaintyText, externalAddress, LABEL, SIGN, score, sourcesText } from './labels.ts';

interface Props {
  readonly item: NewsDetail;
}

const hourOf = zoned({ hour: '2-digit', minute: '2-digit' });

export function NewsEntry({ item }: Props) {
  const { category, cluster, revision, symbols } = item;
  return (
    <li class="news-item">
      <PublishedAt item={item} />
      <div class="news-text">
        <Title item={item} />
        <div class="news-facts line muted small">
          <SentimentChip item={item} />
          <span class="chip">{capital(category)}</span>
          <Source item={item} />
          {cluster > 1 && (
            <span class="news-mark" title={`Reported by ${cluster} sources; the first one is shown`}>
              {sourcesText(cluster)}
            </span>
          )}
          {revision > 0 && (
            <span class="news-mark" title="The source updated this headline">
              {revision === 1 ? 'updated' : `updated ${revision}×`}
            </span>
          )}
          {symbols.map((symbol) => (
            <SymbolLink key={symbol} symbol={symbol} item={item} />
          ))}
        </div>
      </div>
    </li>
  );
}

/** One of several instruments has its own sentiment: bad news for the dollar is good for EURUSD. */
function SymbolLink({ symbol, item }: Props & { readonly symbol: string }) {
  const own = item.sentiments.length > 1 && item.sentiments.find((each) => each.symbol === symbol);
  return (
    <a
      class="news-symbol"
      href={pathOf('markets', symbol)}
      title={own ? `${LABEL[own.sentiment]} for ${symbol}` : undefined}
    >
      {symbol}
      {own && (
        <span class="direction" data-sign={SIGN[own.sentiment]}>
          <i aria-hidden="true">{` ${ARROW[own.sentiment]}`}</i>
          <span class="unseen">{LABEL[own.sentiment].toLowerCase()}</span>
        </span>
      )}
    </a>
  );
}

/** Without the facts, for a narrow panel. */
export function ShortNewsItem({ item }: Props) {
  return (
    <li class="headline">
      <PublishedAt item={item} />
      <SentimentChip item={item} />
      <Title item={item} />
    </li>
  );
}

/** Opens the headline with what the market did after it. */
const Title = ({ item: { id, title } }: Props) => (
  <a class="news-title" href={pathOf('news', id)}>
    {title}
  </a>
);

function Source({ item: { source, url } }: Props) {
  const address = externalAddress(url);
  if (address === null) return <span class="news-source">{source}</span>;
  return (
    <a class="news-source" href={address} target="_blank" rel="noopener noreferrer">
      {`${source} ↗`}
    </a>
  );
}

function PublishedAt({ item: { timestamp, published_at } }: Props) {
  const time = Date.parse(timestamp);
  const title = published_at === null ? `Received ${exactly(time)}` : exactly(time);
  return (
    <time class="news-time muted small" dateTime={timestamp} title={title}>
      {hourOf(time)}
    </time>
  );
}

interface ChipProps {
  readonly item: Pick<NewsDetail, 'sentiment' | 'sentiment_score' | 'certainty'>;
}

export function SentimentChip({ item: { sentiment, sentiment_score, certainty } }: ChipProps) {
  return (
    <span class="sentiment" data-sign={SIGN[sentiment]} title={certainty ? certaintyText(certainty) : undefined}>
      <i aria-hidden="true">{certainty?.undecided ? '?' : ARROW[sentiment]}</i>
      {`${certainty?.undecided ? 'Undecided' : LABEL[sentiment]} ${score(sentiment_score)}`}
    </span>
  );
}
