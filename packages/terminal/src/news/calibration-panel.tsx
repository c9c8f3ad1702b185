// Sentiment accuracy: how often the market moved as each label said, with the number of headlines and a confidence interval.

import type { NewsCalibration, NewsCalibrationItem } from '@tickwire/client';
import { plural } from '@tickwire/contract/plural.ts';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { ChoiceBar, GuideLink } from '../ui/button.tsx';
import { figure, NO_VALUE, signedFigure } from '../ui/format.ts';
import { dateText } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Table } from '../ui/table.tsx';
import { ARROW, capital, LABEL } from './labels.ts';
import type { NewsPageFilter } from './news-filter.ts';

const HORIZONS = [
  [15, '15 min'],
  [60, '1 h'],
  [240, '4 h'],
] as const;

interface Props {
  readonly client: TerminalServices['client'];
  readonly filter: NewsPageFilter;
}

/** The horizon of the summary. */
const SUMMARY_MINUTES = 60;
const RELOAD_MS = 300_000;
/** The first read fills the calibration of a new store within the first minutes, if it can be filled. */
const RELOAD_EMPTY_MS = 15_000;
const FILLING_MS = 300_000;

/** `openMs`: how long the panel had been open when `count` was loaded. */
export const reloadMs = (count: number, openMs: number): number =>
  count === 0 && openMs < FILLING_MS ? RELOAD_EMPTY_MS : RELOAD_MS;

export function CalibrationPanel({ client, filter: { categories } }: Props) {
  const calibration = useRemote((signal) => client.newsCalibration({ signal }));
  // A phone has the summary at first; the headlines follow.
  const [open] = useState(() => !matchMedia('(max-width: 860px)').matches);
  const [openedAt] = useState(() => Date.now());
  const { data, loadedAt } = calibration;
  return (
    <details class="news-panel" open={open}>
      <summary>
        <h2>Sentiment accuracy</h2>
        <span class="news-brief muted always">{data && summaryOf(data.items, categories)}</span>
      </summary>
      <RemoteSection remote={calibration} everyMs={reloadMs(data?.count ?? 0, loadedAt - openedAt)}>
        {(loaded) => <Calibration calibration={loaded} categories={categories} />}
      </RemoteSection>
    </details>
  );
}

/** The hit rate of all labels together: `54% of 320 headlines after 1 h`. */
export function summaryOf(items: readonly NewsCalibrationItem[], categories: NewsPageFilter['categories']): string {
  const measured = items.filter(
    ({ horizon_minutes, category }) =>
      horizon_minutes === SUMMARY_MINUTES && (categories.length === 0 || categories.includes(category)),
  );
  const count = measured.reduce((sum, item) => sum + item.items, 0);
  if (count === 0) return 'no measurements yet';
  const hits = measured.reduce((sum, item) => sum + item.hits, 0);
  return `${whole(hits / count)}% right, ${plural(count, 'headline', figure(count))}, 1 h later`;
}

interface CalibrationProps {
  readonly calibration: NewsCalibration;
  readonly categories: NewsPageFilter['categories'];
  /** Names the model of each row. Default: if there are several. */
  readonly withModel?: boolean;
}

export function Calibration({ calibration: { items, since }, categories, withModel = false }: CalibrationProps) {
  const [horizon, setHorizon] = useState<NewsCalibrationItem['horizon_minutes']>(SUMMARY_MINUTES);
  const rows = items.filter(
    ({ horizon_minutes, category, items: count }) =>
      count > 0 && horizon_minutes === horizon && (categories.length === 0 || categories.includes(category)),
  );
  const showsModel = withModel || new Set(rows.map(({ model }) => model)).size > 1;
  return (
    <>
      <ChoiceBar label="Time after the headline" choices={HORIZONS} value={horizon} onChange={setHorizon} />
      <Table
        caption="Sentiment accuracy"
        columns={[
          { head: 'News', cell: (row) => <Label item={row} withModel={showsModel} /> },
          { head: 'Headlines', cell: ({ items: count }) => figure(count), numeric: true },
          { head: 'Hit rate', cell: rate, numeric: true },
          { head: 'Avg. move', cell: ({ average_move_percent: move }) => moveText(move), numeric: true },
        ]}
        rows={rows}
        keyOf={({ category, sentiment, model }) => `${category} ${sentiment} ${model}`}
        empty="No measurements yet. A headline counts after this time, if the market was open."
      />
      <p class="hint">
        Hit: up after bullish, down after bearish, a smaller move than usual after neutral. In brackets the 95%
        confidence interval of the rate; a wide one means too few headlines.
        {since !== null && ` Measured since ${dateText(Date.parse(since))}.`} A hit does not show that the news moved
        the market, and headlines about the same event are not independent.{' '}
        <GuideLink href="/guide/reference/news#calibration">How it is measured</GuideLink>
      </p>
    </>
  );
}

function Label({ item, withModel }: { readonly item: NewsCalibrationItem; readonly withModel: boolean }) {
  const { category, sentiment, model } = item;
  return (
    <span>
      <i class={`arrow ${sentiment}`} aria-hidden="true">{`${ARROW[sentiment]} `}</i>
      {`${capital(category)}, ${LABEL[sentiment].toLowerCase()}`}
      {withModel && <span class="hint">{` ${model}`}</span>}
    </span>
  );
}

const whole = (fraction: number): string => String(Math.round(fraction * 100));

function rate({ hit_rate, hit_rate_low, hit_rate_high }: NewsCalibrationItem): string {
  if (hit_rate === null || hit_rate_low === null || hit_rate_high === null) return NO_VALUE;
  return `${whole(hit_rate)}% (${whole(hit_rate_low)}–${whole(hit_rate_high)})`;
}

/** Three decimals: moves within minutes are small. */
const moveText = (percent: number | null): string => (percent === null ? NO_VALUE : `${signedFigure(percent, 3)}%`);
