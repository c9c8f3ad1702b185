// One signal: its progress, its chart, its details, and the evidence.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { SignalDetail } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { QuoteBoard } from '../services/quote-board.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { price, setNumber, signOf } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { exactly, moment } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Facts } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { EvidencePanel } from './evidence/evidence-panel.tsx';
import { digitsOf, REASONS, signedPips, wordOf } from './labels.ts';
import { LevelBar, moveNeedle } from './level-bar.tsx';
import { exitSide, marketOf, placeOf, rewardToRisk } from './levels.ts';
import { mayBeOwn } from './publish-permission.ts';
import { SignalChart } from './signal-chart.tsx';
import { DirectionLabel, Remarks, SubPage } from './signal-parts.tsx';
import { progressOf } from './signal-progress.ts';

type Services = Pick<TerminalServices, 'client' | 'session' | 'quotes' | 'activeSignals' | 'status' | 'notifier'>;

/** A pending signal is loaded again this often: the stream does not report fills. */
const PENDING_EVERY_MS = 10_000;

export interface SignalViewProps extends Services {
  readonly id: string;
  /** Counts navigations to this page. */
  readonly visits: ReadonlySignal<number>;
}

export function SignalView(props: SignalViewProps) {
  const { id, client, activeSignals } = props;
  const remote = useRemote((signal) => client.signal(id, { signal }));
  const { data, refresh } = remote;
  const pending = data?.status === 'active' && data.filled_at === null;
  useAbortEffect((end) => {
    activeSignals.subscribe(end, ({ closed }) => {
      if (closed?.id === id) void refresh();
    });
  }, []);
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => document.hidden || void refresh(), PENDING_EVERY_MS);
    return () => clearInterval(timer);
  }, [pending]);
  useEffect(() => {
    if (data) document.title = `${wordOf(data.direction)} ${data.symbol} by ${data.user} · Tickwire`;
  }, [data]);
  return (
    <SubPage class="signal-view" of="signals">
      <RemoteSection remote={remote}>
        {(signal) => <LoadedSignal {...props} signal={signal} refresh={refresh} />}
      </RemoteSection>
    </SubPage>
  );
}

interface LoadedProps extends SignalViewProps {
  readonly signal: SignalDetail;
  readonly refresh: () => Promise<unknown>;
}

function LoadedSignal({ signal, refresh, visits, ...services }: LoadedProps) {
  const { session, quotes } = services;
  const { status, direction, symbol, user, timestamp, filled_at, note } = signal;
  return (
    <>
      <header class="signal-head">
        <div>
          <h1>
            <DirectionLabel of={direction} /> <a href={pathOf('markets', symbol)}>{symbol}</a>
          </h1>
          <p class="hint">
            by <a href={pathOf('publishers', user)}>{user}</a>, <RelativeTime at={timestamp} />
          </p>
        </div>
        <span class="chips">
          {status === 'active' ? (
            <span class="chip">{filled_at === null ? `Pending ${signal.order}` : 'Filled'}</span>
          ) : (
            <a class="verified" href="#evidence">
              ✓ verified
            </a>
          )}
          <Remarks of={signal} />
        </span>
        {status === 'active' && mayBeOwn(session, signal) && (
          <Button onClick={() => askToClose(services, signal, refresh)}>
            {filled_at === null ? 'Withdraw' : 'Close'}
          </Button>
        )}
      </header>
      <section class="signal-panel">
        <Standing quotes={quotes} signal={signal} />
        <SignalChart {...services} signal={signal} />
        <p class="hint">{chartKey(signal)}</p>
      </section>
      <div class="signal-columns">
        <section class="signal-panel">
          <h2>Details</h2>
          <Facts entries={factsOf(signal, digitsOf(signal, quotes))} />
          {note !== null && (
            <>
              <h2>Publisher’s note</h2>
              <p class="signal-note">{note}</p>
            </>
          )}
        </section>
        <EvidencePanel {...services} signal={signal} visit={visits.value} />
      </div>
    </>
  );
}

/** The progress in large figures over the level bar. A tick changes the texts without rendering the page. */
function Standing({ quotes, signal }: { readonly quotes: QuoteBoard; readonly signal: SignalDetail }) {
  const { symbol, status, entry, stop_loss, take_profit, entry_price } = signal;
  const bar = useRef<HTMLElement>(null);
  const [figure, sign, below] = [useSignal(''), useSignal('none'), useSignal('')];
  useAbortEffect(
    (end) => {
      const show = (): void => {
        const progress = progressOf(signal, entry_price, marketOf(quotes, symbol));
        const { detail, at, pending } = progress;
        figure.value = progress.figure;
        sign.value = signOf(progress.figure);
        if (signal.status === 'closed')
          below.value = [REASONS[signal.close_reason], detail].filter((text) => text !== '').join(' · ');
        else below.value = pending || at === null ? detail : `Unrealised, verified once closed · ${detail}`;
        moveNeedle(bar.current!, signal, progress);
      };
      show();
      quotes.onChange((changed) => {
        if (changed.has(symbol)) show();
      }, end);
    },
    [status, entry_price, preferences.choices],
  );
  const at = (value: number): string => price(value, digitsOf(signal, quotes));
  // Below its mark, but clear of the labels at both ends.
  const left = `${Math.min(0.68, Math.max(0.34, placeOf(signal, entry))) * 100}%`;
  return (
    <div class="standing">
      <div>
        <b class="standing-figure" data-sign={sign}>
          {figure}
        </b>
        <p class="hint">{below}</p>
      </div>
      <div class="standing-bar">
        <LevelBar levels={signal} bar={bar} />
        <div class="level-ends">
          <span>{`Stop ${at(stop_loss)}`}</span>
          <span class="at-entry" style={{ left }}>{`Entry ${at(entry)}`}</span>
          <span>{`Target ${at(take_profit)}`}</span>
        </div>
      </div>
    </div>
  );
}

/** Confirms first: it cannot be undone, and the signal closes at the market price. */
function askToClose({ client, quotes }: Services, signal: SignalDetail, onClosed: () => Promise<unknown>): void {
  const { id, symbol, direction, filled_at } = signal;
  const what = `${wordOf(direction).toLowerCase()} of ${symbol}`;
  const market = marketOf(quotes, symbol);
  const now = market ? ` The price is now about ${price(exitSide(signal, market), digitsOf(signal, quotes))}.` : '';
  askToConfirm({
    ...(filled_at === null
      ? {
          title: `Withdraw this ${what}?`,
          text: 'It is still pending. It ends as not filled, without a result, and stays in your track record.',
          confirm: 'Withdraw',
        }
      : {
          title: `Close this ${what}?`,
          text: `It closes at the market price, and its result counts in your track record.${now} This cannot be undone.`,
          confirm: 'Close at market',
        }),
    act: async () => {
      await client.closeSignal(id);
      await onClosed();
    },
  });
}

function chartKey(signal: SignalDetail): string {
  const fill = signal.filled_at === null ? '' : ' Blue dot: fill.';
  if (signal.status === 'active') return `Bars show the bid.${fill} Blue line: current price.`;
  return `Bars show the bid. Shaded: time in trade.${fill}${signal.exit_price === null ? '' : ' Last dot: exit.'}`;
}

/** The exact time, with the relative one as its tooltip. `before`: a text in front of it. */
const ExactTime = ({ at, before = '' }: { readonly at: string; readonly before?: string }) => (
  <>
    {before}
    <time dateTime={at} title={moment(at, Date.now())}>
      {exactly(Date.parse(at))}
    </time>
  </>
);

type Fact = readonly [string, ComponentChildren];

function factsOf(signal: SignalDetail, digits: number): readonly Fact[] {
  const { order, filled_at, published_n, closed_n } = signal;
  const closed = signal.status === 'closed' ? signal : null;
  const at = (value: number | null): string => price(value, digits);
  const facts: readonly (Fact | false | null)[] = [
    ['Published', <ExactTime key="" at={signal.timestamp} />],
    ['Entry', `${at(signal.entry)}, ${order} order`],
    filled_at === null
      ? ['Filled', closed ? 'never' : 'not yet']
      : ['Filled', <ExactTime key="" before={`${at(signal.entry_price)} · `} at={filled_at} />],
    ['Stop', at(signal.stop_loss)],
    ['Target', at(signal.take_profit)],
    ['Reward/risk', `${setNumber(rewardToRisk(signal).toFixed(2))} : 1`],
    closed
      ? ['Closed', <ExactTime key="" before={`${REASONS[closed.close_reason]} · `} at={closed.closed_at} />]
      : ['Expires', <ExactTime key="" at={signal.expires_at} />],
    closed && closed.exit_price !== null && ['Exit', at(closed.exit_price)],
    closed?.pnl_best !== undefined && [
      'Best case',
      `${signedPips(closed.pnl_best)} pips: only a bar decided it, so the worst case counts`,
    ],
    closed?.gap_from !== undefined && [
      'Price gap',
      [
        <ExactTime key="from" at={closed.gap_from} />,
        closed.gap_to && <ExactTime key="to" before=" to " at={closed.gap_to} />,
        ': not ranked',
      ],
    ],
    closed?.self_sourced === true && ['Self-sourced', 'decided by prices that its publisher pushed: not ranked'],
    closed?.recovered !== undefined && [
      'Recovered',
      `after an interruption, from the ${closed.recovered === 'tape' ? 'tape' : 'history of the feed'}`,
    ],
    ['Log records', `${published_n}${closed_n === null ? '' : ` and ${closed_n}`}`],
    ['Id', <code key="">{signal.id}</code>],
  ];
  return facts.filter((fact) => !!fact);
}
