// The active signals of a publisher with their state, and their R at the current price. Pending ones wait for their entry.
import type { SignalDetail } from '@tickwire/client';
import { useEffect, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { digitsOf } from '../signals/labels.ts';
import { marketOf, unitOf } from '../signals/levels.ts';
import { DirectionLabel, SignalPanel } from '../signals/signal-parts.tsx';
import { type Progress, progressOf, stateText } from '../signals/signal-progress.ts';
import { pathOf } from '../ui/address.ts';
import { NO_VALUE, price } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

interface Props extends Pick<TerminalServices, 'client' | 'quotes' | 'activeSignals'> {
  readonly name: string;
}

const MOST = 200;
/** Loaded again after a fill, an exit or a tighter stop, at most this often. */
const RELOAD_MS = 2_000;
/** Prices of a table are read, not watched. */
const REDRAW_MS = 1_000;

interface Position {
  readonly signal: SignalDetail;
  readonly digits: number;
  readonly progress: Progress;
}

const COLUMNS: readonly Column<Position>[] = [
  {
    head: 'Signal',
    cell: ({ signal: { id, direction, symbol } }) => (
      <a class="signal-link" href={pathOf('signals', id)}>
        <DirectionLabel of={direction} /> {symbol}
      </a>
    ),
  },
  { head: 'State', cell: ({ signal }) => <span class="chip">{stateText(signal)}</span> },
  {
    head: 'Entry',
    cell: ({ signal: { entry, entry_price }, digits }) => price(entry_price ?? entry, digits),
    numeric: true,
  },
  { head: 'Stop', cell: ({ signal, digits }) => price(signal.current_stop_loss, digits), numeric: true },
  {
    head: 'Next target',
    cell: ({ signal: { targets, exits }, digits }) => price(targets[exits.length]?.price ?? null, digits),
    numeric: true,
  },
  { head: 'Price', cell: ({ progress, digits }) => price(progress.at, digits), numeric: true },
  {
    head: 'R now',
    cell: ({ progress }) => (progress.pending ? NO_VALUE : <Signed text={progress.figure} />),
    numeric: true,
  },
  { head: 'Distance', cell: ({ progress }) => <span class="hint">{progress.detail}</span> },
  { head: 'Published', cell: ({ signal }) => <RelativeTime at={signal.timestamp} /> },
];

export function OpenPositions({ client, quotes, activeSignals, name }: Props) {
  const active = useRemote((signal) =>
    client.signals({ status: 'active', user: name, detail: true, limit: MOST }, { signal }),
  );
  const [, redraw] = useState(0);
  useAbortEffect((end) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void active.refresh();
      }, RELOAD_MS);
    };
    activeSignals.subscribe(end, ({ published, closed }) => {
      if ((published ?? closed)?.user.toLowerCase() === name.toLowerCase()) reload();
    });
    activeSignals.onProgress(end, reload);
    end.addEventListener('abort', () => clearTimeout(timer));
  }, []);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || redraw((count) => count + 1), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <SignalPanel title="Open positions">
      <RemoteSection remote={active}>
        {({ items }) => (
          <>
            <Table
              caption="Open positions"
              columns={COLUMNS}
              rows={items.map((signal) => ({
                signal,
                digits: digitsOf(signal, quotes),
                progress: progressOf(signal, signal, marketOf(quotes, signal.symbol), unitOf(quotes, signal.symbol)),
              }))}
              keyOf={({ signal }) => signal.id}
              empty="No open or pending signals."
            />
            {items.length === MOST && <p class="hint">{`The newest ${MOST} are shown.`}</p>}
          </>
        )}
      </RemoteSection>
    </SignalPanel>
  );
}
