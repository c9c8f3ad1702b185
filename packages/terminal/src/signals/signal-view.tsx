// One signal: its progress, its chart, its details, what its publisher can do, and the evidence.
import type { ReadonlySignal } from '@preact/signals';
import type { SignalDetail } from '@tickwire/client';
import { useEffect } from 'preact/hooks';
import { FollowControl } from '../alerts/follow.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { EvidencePanel } from './evidence/evidence-panel.tsx';
import { SignalEdits } from './evidence/signal-edits.tsx';
import { digitsOf, wordOf } from './labels.ts';
import { unitOf } from './levels.ts';
import { PositionSizePanel } from './position-size.tsx';
import { SignalActions } from './signal-actions.tsx';
import { SignalChart } from './signal-chart.tsx';
import { SignalFacts, SignalTargets } from './signal-facts.tsx';
import { SignalFollowers } from './signal-followers.tsx';
import { DirectionLabel, Remarks, SignalPanel, SubPage } from './signal-parts.tsx';
import { stateText } from './signal-progress.ts';
import { SignalRecords } from './signal-records.tsx';
import { Standing } from './signal-standing.tsx';

type Services = Pick<TerminalServices, 'client' | 'session' | 'quotes' | 'activeSignals' | 'status' | 'notifier'>;

/** A signal that waits for a quote is loaded again this often: the stream may have been interrupted. */
const WAITING_EVERY_MS = 10_000;

export interface SignalViewProps extends Services {
  readonly id: string;
  /** Counts navigations to this page. */
  readonly visits: ReadonlySignal<number>;
}

export function SignalView(props: SignalViewProps) {
  const { id, client, activeSignals } = props;
  const remote = useRemote((signal) => client.signal(id, { signal }));
  const { data, refresh } = remote;
  const waiting = data?.status === 'active' && (data.filled_at === null || data.close_requested_at !== null);
  useAbortEffect((end) => {
    activeSignals.subscribe(end, ({ closed }) => {
      if (closed?.id === id) void refresh();
    });
    activeSignals.onProgress(end, (changed) => {
      if (changed === id) void refresh();
    });
  }, []);
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => document.hidden || void refresh(), WAITING_EVERY_MS);
    return () => clearInterval(timer);
  }, [waiting]);
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
  const { client, quotes } = services;
  const { direction, symbol, user, timestamp, note, voided_reason } = signal;
  const digits = digitsOf(signal, quotes);
  return (
    <>
      <header class="signal-head line">
        <div>
          <h1>
            <DirectionLabel of={direction} /> <a href={pathOf('markets', symbol)}>{symbol}</a>
          </h1>
          <p class="hint">
            by <a href={pathOf('publishers', user)}>{user}</a>, <RelativeTime at={timestamp} />
          </p>
        </div>
        <StateLabels signal={signal} />
        <FollowControl {...services} publisher={{ id: signal.publisher, name: user }} />
        <SignalActions {...services} signal={signal} refresh={refresh} />
      </header>
      {signal.status === 'active' && signal.close_requested_at !== null && (
        <p class="notice-line" role="status">
          The publisher has requested to close it: it closes with the next quote of {symbol}.
        </p>
      )}
      {voided_reason !== null && (
        <p class="notice-line">
          <b>Voided by an operator.</b> {voided_reason}
        </p>
      )}
      <section class="signal-panel">
        <Standing quotes={quotes} signal={signal} />
        <SignalChart {...services} signal={signal} />
      </section>
      <SignalRecords client={client} signal={signal} digits={digits} />
      <SignalEdits client={client} id={signal.id} />
      <div class="signal-columns">
        <div class="signal-stack">
          <SignalPanel title="Details">
            <SignalFacts signal={signal} digits={digits} unit={unitOf(quotes, symbol)} />
            {signal.targets.length > 1 && <SignalTargets signal={signal} digits={digits} />}
            {note !== null && (
              <>
                <h2>Publisher’s note</h2>
                <p class="signal-note">{note}</p>
              </>
            )}
          </SignalPanel>
          {signal.status === 'active' && (
            <PositionSizePanel client={client} symbol={symbol} entry={signal.entry} stop={signal.stop_loss} />
          )}
          <SignalFollowers client={client} signal={signal} />
        </div>
        <EvidencePanel {...services} signal={signal} visit={visits.value} />
      </div>
    </>
  );
}

function StateLabels({ signal }: { readonly signal: SignalDetail }) {
  return (
    <span class="chips">
      {signal.status === 'active' ? (
        <span class="chip">{stateText(signal)}</span>
      ) : signal.voided_at === null ? (
        <a class="verified" href="#evidence">
          ✓ verified
        </a>
      ) : (
        <span class="chip bad">voided</span>
      )}
      {signal.signed && (
        <span class="chip good" title="The publisher signed it with a key that the service does not have.">
          signed
        </span>
      )}
      <Remarks of={signal} />
    </span>
  );
}
