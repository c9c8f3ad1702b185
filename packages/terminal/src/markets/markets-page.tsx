// The markets page: watchlist, and the selected instrument with chart, order flow and headlines. The selection is part of the
// address: `/markets/EURUSD/5m`.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Headlines } from '../news/headlines.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { partsOf } from '../ui/address.ts';
import { Toggle } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { HostedElement } from '../ui/hosted-element.tsx';
import type { PageView } from '../ui/page.ts';
import { InstrumentHead } from './instrument-head.tsx';
import { MarketPanels } from './market-panels.ts';

/** A phone has room for one panel below the chart. The style sheet goes by `data-below`; wider screens show all of them. */
const BELOW_CHART = [
  ['watchlist', 'Watchlist'],
  ['flow', 'Order flow'],
  ['headlines', 'Headlines'],
] as const;

export function openMarketsPage(services: TerminalServices): PageView {
  // A new address is at most another selection.
  return { title: 'Tickwire', view: <MarketsPage services={services} />, navigate: () => true };
}

function MarketsPage({ services }: { readonly services: TerminalServices }) {
  const panels = useMemo(() => new MarketPanels(services), []);
  const [below, setBelow] = useState<(typeof BELOW_CHART)[number][0] | 'none'>('watchlist');
  const { pathname } = currentAddress.value;
  const selection = useMemo(() => panels.selectionOf(partsOf(pathname)?.slice(1) ?? []), [pathname]);
  useLayoutEffect(() => {
    panels.watchlist.focus();
    return () => panels.close();
  }, []);
  useLayoutEffect(() => {
    if (selection) panels.show(selection);
  }, [selection]);
  return (
    <div class="desk" data-below={below}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row of buttons on every browser. */}
      <div class="panel-tabs" role="group" aria-label="Below the chart">
        {BELOW_CHART.map(([panel, title]) => (
          <Toggle key={panel} pressed={below === panel} onClick={() => setBelow(below === panel ? 'none' : panel)}>
            {title}
          </Toggle>
        ))}
      </div>
      <HostedElement element={panels.watchlist.element} class="contents" />
      <section class="instrument" aria-label="Selected instrument">
        {selection && <InstrumentHead services={services} instrument={selection.instrument} />}
        <HostedElement element={panels.chart.element} class="contents" />
        <div class="side-panels">
          <HostedElement element={panels.orderFlow.element} class="contents" />
          {selection && (
            <Headlines key={selection.instrument.symbol} services={services} symbol={selection.instrument.symbol} />
          )}
        </div>
      </section>
    </div>
  );
}
