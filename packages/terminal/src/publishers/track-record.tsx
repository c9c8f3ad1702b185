// The track record of one publisher: its equity curve, its figures with their uncertainty, by instrument, and its signals.
import type { PublisherDetail, Signal } from '@tickwire/client';
import { useEffect, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { NO_FILTER } from '../signals/feed-filter.ts';
import { FeedModel } from '../signals/feed-model.ts';
import { inR, REASONS, signedPips } from '../signals/labels.ts';
import { FeedFoot } from '../signals/signal-feed.tsx';
import { DirectionLabel, Remarks, SignalPanel, Signed, SubPage } from '../signals/signal-parts.tsx';
import { pathOf } from '../ui/address.ts';
import { NO_VALUE, signedFigure } from '../ui/format.ts';
import { useAbortEffect, useSubscription } from '../ui/hooks.ts';
import { dateText } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { equityOf } from './equity.ts';
import { EquityChart } from './equity-chart.tsx';
import { asPercent, holdingTime, meanR, standing, twoDecimals, winRate } from './figures.ts';

interface Props extends Pick<TerminalServices, 'client' | 'activeSignals' | 'notifier'> {
  readonly name: string;
}

/** After a signal of the publisher, the record is loaded again, at most this often. */
const RELOAD_MS = 5_000;

export function TrackRecordView(props: Props) {
  const { name, client, activeSignals } = props;
  const record = useRemote((signal) => client.publisher(name, { signal }));
  useEffect(() => {
    if (record.data) document.title = `${record.data.name} · Tickwire`;
  }, [record.data]);
  useAbortEffect((end) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    activeSignals.subscribe(end, ({ published, closed }) => {
      if ((published ?? closed)?.user.toLowerCase() !== name.toLowerCase()) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void record.refresh();
      }, RELOAD_MS);
    });
    end.addEventListener('abort', () => clearTimeout(timer));
  }, []);
  return (
    <SubPage class="publishers" of="publishers">
      <RemoteSection remote={record}>
        {(detail) => (
          <>
            <header class="signal-head">
              <div>
                <h1>{detail.name}</h1>
                {detail.first_at !== null && (
                  <p class="hint">{`Publishing since ${dateText(Date.parse(detail.first_at))}`}</p>
                )}
              </div>
              <span class="chips">
                <span class={detail.rank === null ? 'chip' : 'chip good'}>
                  {detail.rank === null ? 'not ranked' : `rank ${detail.rank}`}
                </span>
              </span>
            </header>
            <SignalPanel title="Equity curve">
              <EquityChart steps={equityOf(detail)} />
            </SignalPanel>
            <div class="signal-columns">
              <Figures record={detail} />
              <Counts record={detail} />
            </div>
            <SignalPanel title="By instrument">
              <Table
                caption="By instrument"
                columns={INSTRUMENT_COLUMNS}
                rows={detail.instruments}
                keyOf={({ symbol }) => symbol}
                empty="None yet."
              />
            </SignalPanel>
            <SignalPanel title="Signals">
              <p class="hint">
                <a class="inline-link" href={`/signals?user=${encodeURIComponent(detail.name)}`}>
                  Open in the live feed
                </a>
              </p>
              <SignalTable {...props} />
            </SignalPanel>
          </>
        )}
      </RemoteSection>
    </SubPage>
  );
}

/** All signals of the publisher, live. */
function SignalTable({ name, ...services }: Props) {
  const [feed] = useState(() => new FeedModel({ ...services, isHeld: () => false, onPublished: () => {} }));
  useSubscription((end, changed) => {
    feed.subscribe(end, changed);
    feed.load({ ...NO_FILTER, status: 'all', user: name });
  });
  const { rows } = feed.list;
  return (
    <>
      {rows.length > 0 && (
        <Table caption="Signals" columns={SIGNAL_COLUMNS} rows={rows} keyOf={({ id }) => id} empty="" />
      )}
      <p class="hint">
        <FeedFoot feed={feed} />
      </p>
    </>
  );
}

function Figures({ record }: { readonly record: PublisherDetail }) {
  const { total_r, profit_factor, max_drawdown_r, sharpe, average_holding_seconds, e_value, decisions } = record;
  return (
    <SignalPanel title="Figures">
      <Facts
        entries={[
          ['Total', <Signed key="total" text={inR(total_r)} />],
          ['Per signal, 95 % margin', meanR(record)],
          ['Win rate, 95 % interval', winRate(record)],
          ['Profit factor', profit_factor === null ? `${NO_VALUE} (no losses)` : twoDecimals(profit_factor)],
          ['Max drawdown', `${twoDecimals(max_drawdown_r)} R`],
          ['Sharpe ratio, per signal', sharpe === null ? NO_VALUE : signedFigure(sharpe, 2)],
          ['Evidence', `e-value ${twoDecimals(e_value)} of ${decisions} decisions`],
          ['Avg. holding time', holdingTime(average_holding_seconds)],
        ]}
      />
      <p class="hint">{standing(record)}</p>
    </SignalPanel>
  );
}

function Counts({ record }: { readonly record: PublisherDetail }) {
  const { signals, active, ranked_signals, wins, losses, breakeven, unfilled, unranked } = record;
  return (
    <SignalPanel title="What counts">
      <Facts
        entries={[
          ['Published', signals],
          ['Active', active],
          ['Ranked', `${ranked_signals} (${wins} won, ${losses} lost, ${breakeven} breakeven)`],
          ['Not filled', `${unfilled}: the entry was never reached`],
          ['Not ranked', `${unranked}: a gap in the prices, or decided by prices that the publisher pushed`],
        ]}
      />
      <p class="hint">
        The service computes all figures from the log, which has every closing with the price that decided it. They
        assume independent results: many signals on one idea at the same time count for less than they seem to.
      </p>
    </SignalPanel>
  );
}

const INSTRUMENT_COLUMNS: readonly Column<PublisherDetail['instruments'][number]>[] = [
  {
    head: 'Instrument',
    cell: ({ symbol }) => (
      <a class="inline-link" href={pathOf('markets', symbol)}>
        {symbol}
      </a>
    ),
  },
  { head: 'Signals', cell: ({ signals }) => signals, numeric: true },
  { head: 'Won', cell: ({ wins }) => wins, numeric: true },
  { head: 'Lost', cell: ({ losses }) => losses, numeric: true },
  { head: 'Win rate', cell: ({ win_rate }) => asPercent(win_rate), numeric: true },
  { head: 'Per signal', cell: ({ average_r }) => <Signed text={inR(average_r)} />, numeric: true },
  { head: 'Total', cell: ({ total_r }) => <Signed text={inR(total_r)} />, numeric: true },
];

/** '–' unless the signal has a result. */
const result = (signal: Signal, textOf: (pnl: number, r: number) => string) =>
  signal.status === 'closed' && signal.close_reason !== 'unfilled' ? (
    <Signed text={textOf(signal.pnl, signal.pnl_r)} />
  ) : (
    NO_VALUE
  );

const SIGNAL_COLUMNS: readonly Column<Signal>[] = [
  {
    head: 'Signal',
    cell: ({ id, direction, symbol }) => (
      <a class="signal-link" href={pathOf('signals', id)}>
        <DirectionLabel of={direction} /> {symbol}
      </a>
    ),
  },
  { head: 'Published', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
  {
    head: 'Outcome',
    cell: (signal) =>
      signal.status === 'active' ? (
        <span class="chip">active</span>
      ) : (
        <span class="chips">
          {REASONS[signal.close_reason]}
          <Remarks of={signal} />
        </span>
      ),
  },
  { head: 'Pips', cell: (signal) => result(signal, signedPips), numeric: true },
  { head: 'R', cell: (signal) => result(signal, (_, r) => inR(r)), numeric: true },
];
