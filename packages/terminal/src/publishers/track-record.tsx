// The track record of one publisher: its equity curve, its figures with their uncertainty, by instrument, and its signals.
import type { PublisherDetail, Signal } from '@tickwire/client';
import { useEffect, useState } from 'preact/hooks';
import { FollowControl } from '../alerts/follow.tsx';
import type { QuoteBoard } from '../services/quote-board.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { NO_FILTER } from '../signals/feed-filter.ts';
import { FeedModel } from '../signals/feed-model.ts';
import { hasResult, inR, REASONS, signedPips } from '../signals/labels.ts';
import { unitOf } from '../signals/levels.ts';
import { FeedFoot } from '../signals/signal-feed.tsx';
import { DirectionLabel, Remarks, SignalPanel, SubPage } from '../signals/signal-parts.tsx';
import { pathOf } from '../ui/address.ts';
import { GuideLink } from '../ui/button.tsx';
import { NO_VALUE, signedFigure } from '../ui/format.ts';
import { useAbortEffect, useSubscription } from '../ui/hooks.ts';
import { dateText } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { Downloads } from './downloads.tsx';
import { equityOf } from './equity.ts';
import { EquityChart } from './equity-chart.tsx';
import { holdingTime, otherMissingTexts, progressFacts, TIME_WAIVED, twoDecimals } from './figures.ts';
import { Followers } from './followers.tsx';
import { Months } from './months.tsx';
import { OpenPositions } from './open-positions.tsx';
import { PublicRecordLink } from './public-link.tsx';
import { Counts, Figures, RESULT_COLUMNS } from './record-figures.tsx';
import { EVIDENCE_EXPLAINED, Limits, StatusLabels } from './standing.tsx';

export interface TrackRecordProps
  extends Pick<TerminalServices, 'client' | 'session' | 'quotes' | 'activeSignals' | 'notifier' | 'status'> {
  readonly name: string;
}

/** After a signal of the publisher, the record is loaded again, at most this often. */
const RELOAD_MS = 5_000;

export function TrackRecordView(props: TrackRecordProps) {
  const { name, client, activeSignals } = props;
  const [risk, setRisk] = useState(1);
  const record = useRemote((signal) => client.publisher(name, { risk, signal }), [risk]);
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
            <header class="signal-head line">
              <div>
                <h1>{detail.name}</h1>
                {detail.first_at !== null && (
                  <p class="hint">{`Publishing since ${dateText(Date.parse(detail.first_at))}`}</p>
                )}
                <PublicRecordLink client={client} name={detail.name} />
              </div>
              <StatusLabels of={detail} />
              <FollowControl {...props} publisher={{ id: detail.publisher, name: detail.name }} />
            </header>
            <Standing record={detail} simulated={props.status.simulated.value} />
            <SignalPanel title="Equity curve">
              <EquityChart {...equityOf(detail)} />
              <Downloads client={client} name={detail.name} />
            </SignalPanel>
            <OpenPositions {...props} name={detail.name} />
            <div class="signal-columns">
              <Figures record={detail} />
              <Counts record={detail} />
            </div>
            <div class="signal-columns">
              <Months record={detail} onRisk={setRisk} />
              <Exposure record={detail} />
            </div>
            <Followers client={client} name={detail.name} closed={detail.closed} />
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

/** The status with its reason, what a rank still requires, and the warnings in full. */
function Standing({ record, simulated }: { readonly record: PublisherDetail; readonly simulated: boolean }) {
  const missing = otherMissingTexts(record);
  return (
    <SignalPanel title="Evidence">
      <p>{record.reason}</p>
      {simulated && <p class="hint">{TIME_WAIVED}</p>}
      <Facts
        entries={[
          ['Decisions', record.decisions],
          ...progressFacts(record, simulated),
          ...(missing.length === 0 ? [] : [['Also missing for a rank', missing.join(', ')] as const]),
        ]}
      />
      <p class="hint">{EVIDENCE_EXPLAINED}</p>
      {record.warnings.length > 0 && (
        <ul class="warnings">
          {record.warnings.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      )}
      <Limits />
    </SignalPanel>
  );
}

/** All signals of the publisher, live. */
function SignalTable({ name, ...services }: TrackRecordProps) {
  const [feed] = useState(() => new FeedModel({ ...services, isHeld: () => false, onPublished: () => {} }));
  useSubscription((end, changed) => {
    feed.subscribe(end, changed);
    feed.load({ ...NO_FILTER, status: 'all', user: name });
  });
  const { rows } = feed.list;
  return (
    <>
      {rows.length > 0 && (
        <Table caption="Signals" columns={signalColumns(services.quotes)} rows={rows} keyOf={({ id }) => id} empty="" />
      )}
      <p class="hint">
        <FeedFoot feed={feed} />
      </p>
    </>
  );
}

/** Open signals that bet on the same move. */
function Exposure({ record: { exposure } }: { readonly record: PublisherDetail }) {
  return (
    <SignalPanel title="Exposure of open signals">
      <Table
        caption="Exposure"
        columns={EXPOSURE_COLUMNS}
        rows={exposure}
        keyOf={({ asset }) => asset}
        empty="No open signals."
        compact
      />
      <p class="hint">
        Long minus short signals by currency or asset, each with a risk of 1 R. A large number is one bet made several
        times. <GuideLink href="/guide/reference/signals#exposure">Exposure</GuideLink>
      </p>
    </SignalPanel>
  );
}

const EXPOSURE_COLUMNS: readonly Column<PublisherDetail['exposure'][number]>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Open signals', cell: ({ signals }) => signals, numeric: true },
  { head: 'Net', cell: ({ net_r }) => <Signed text={`${signedFigure(net_r, 0)} R`} />, numeric: true },
];

const INSTRUMENT_COLUMNS: readonly Column<PublisherDetail['instruments'][number]>[] = [
  {
    head: 'Instrument',
    cell: ({ symbol }) => (
      <a class="inline-link" href={pathOf('markets', symbol)}>
        {symbol}
      </a>
    ),
  },
  ...RESULT_COLUMNS,
  { head: 'Active', cell: ({ active }) => active, numeric: true },
  {
    head: 'Profit factor',
    cell: ({ profit_factor }) => (profit_factor === null ? NO_VALUE : twoDecimals(profit_factor)),
    numeric: true,
  },
  { head: 'Max drawdown', cell: ({ max_drawdown_r }) => `${twoDecimals(max_drawdown_r)} R`, numeric: true },
  { head: 'Avg. holding time', cell: (record) => holdingTime(record.average_holding_seconds), numeric: true },
];

/** '–' unless the signal has a result. */
const result = (signal: Signal, textOf: (pnl: number, r: number) => string) =>
  hasResult(signal) ? <Signed text={textOf(signal.pnl, signal.pnl_r)} /> : NO_VALUE;

const signalColumns = (quotes: QuoteBoard): readonly Column<Signal>[] => [
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
  {
    head: 'Move',
    cell: (signal) => result(signal, (pnl) => `${signedPips(pnl)} ${unitOf(quotes, signal.symbol)}`),
    numeric: true,
  },
  { head: 'R', cell: (signal) => result(signal, (_, r) => inR(r)), numeric: true },
];
