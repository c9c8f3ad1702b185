// Sentiment of the last day, week or month, for the chosen categories and instrument: a plot, a summary, and a table by category.
import { useSignal } from '@preact/signals';
import type { NewsSentiment } from '@tickwire/client';
import { useMemo, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { ChoiceBar } from '../ui/button.tsx';
import { figure } from '../ui/format.ts';
import { zoned } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { capital, score } from './labels.ts';
import type { NewsPageFilter } from './news-filter.ts';
import { SentimentPlot } from './sentiment-plot.tsx';
import { intervalsOf, type SentimentInterval, totalsOf } from './sentiment-series.ts';

type Period = NewsSentiment['period'];
type CategoryTotals = ReturnType<typeof totalsOf>['byCategory'][number];

const PERIODS: readonly (readonly [Period, string])[] = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];
const PERIOD_TEXT: Readonly<Record<Period, string>> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};
const RELOAD_MS = 60_000;

const minuteOf = zoned({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const hourOf = zoned({ hour: '2-digit', minute: '2-digit' });
const dateOf = zoned({ weekday: 'short', day: 'numeric', month: 'short' });

export interface SentimentPanelProps {
  readonly client: TerminalServices['client'];
  readonly filter: NewsPageFilter;
}

export function SentimentPanel({ client, filter: { categories, symbol } }: SentimentPanelProps) {
  const [period, setPeriod] = useState<Period>('day');
  // On a phone the headlines come first.
  const [open] = useState(() => !matchMedia('(max-width: 860px)').matches);
  const sentiment = useRemote(
    (signal) => client.newsSentiment({ period, ...(symbol !== null && { symbol }) }, { signal }),
    [period, symbol],
  );
  const { data } = sentiment;
  return (
    <details class="news-panel" open={open}>
      <summary>
        <h2>Sentiment over time</h2>
        <span class="news-brief muted">{data && `average ${score(totalsOf(data, categories).all.mean)}`}</span>
      </summary>
      <ChoiceBar label="Period" choices={PERIODS} value={period} onChange={setPeriod} />
      <RemoteSection remote={sentiment} everyMs={RELOAD_MS}>
        {(loaded) => <Sentiment sentiment={loaded} categories={categories} />}
      </RemoteSection>
    </details>
  );
}

interface SentimentProps {
  readonly sentiment: NewsSentiment;
  readonly categories: NewsPageFilter['categories'];
}

function Sentiment({ sentiment, categories }: SentimentProps) {
  const { period, symbol, stretch_seconds } = sentiment;
  const intervals = useMemo(() => intervalsOf(sentiment, categories), [sentiment, categories.join()]);
  const pointed = useSignal<number | null>(null);
  const { all, byCategory } = totalsOf(sentiment, categories);
  const describe = (interval: SentimentInterval): string => {
    const start = minuteOf(interval.time);
    const end = period === 'month' ? ', 24 h' : ` – ${hourOf(interval.time + stretch_seconds * 1_000)}`;
    return `${start}${end}: ${counted(interval)}`;
  };
  const interval = pointed.value === null ? undefined : intervals[pointed.value];
  const label = period === 'day' ? hourOf : dateOf;
  const [first, middle] = [intervals[0], intervals[Math.floor(intervals.length / 2)]];
  return (
    <div>
      <p class="plot-readout small" data-idle={!interval}>
        {interval ? describe(interval) : 'Average sentiment per interval, and the number of headlines'}
      </p>
      <SentimentPlot intervals={intervals} describe={describe} pointed={pointed} />
      <div class="plot-axis muted tiny">
        {first &&
          middle &&
          [label(first.time), label(middle.time), 'now'].map((text) => <span key={text}>{text}</span>)}
      </div>
      <p class="hint">{`${PERIOD_TEXT[period]}${symbol === null ? '' : `, ${symbol}`}: ${counted(all)}.`}</p>
      {byCategory.length > 1 && (
        <Table
          caption="Sentiment by category"
          columns={COLUMNS}
          rows={byCategory}
          keyOf={({ category }) => category}
          empty=""
        />
      )}
    </div>
  );
}

const COLUMNS: readonly Column<CategoryTotals>[] = [
  { head: 'Category', cell: ({ category }) => capital(category) },
  { head: 'Bullish', cell: ({ bullish }) => figure(bullish), numeric: true },
  { head: 'Neutral', cell: ({ neutral }) => figure(neutral), numeric: true },
  { head: 'Bearish', cell: ({ bearish }) => figure(bearish), numeric: true },
  { head: 'Average', cell: ({ mean }) => score(mean), numeric: true },
];

function counted({ count, bullish, neutral, bearish, mean }: Omit<SentimentInterval, 'time'>): string {
  if (count === 0) return 'no headlines';
  const items = count === 1 ? '1 headline' : `${figure(count)} headlines`;
  return `average ${score(mean)} of ${items}, ${figure(bullish)} bullish, ${figure(neutral)} neutral, ${figure(bearish)} bearish`;
}
