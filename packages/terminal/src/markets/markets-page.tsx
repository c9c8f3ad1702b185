// The markets page: watchlist, and the selected instrument with charts, order flow and headlines. The selection is part of the
// address: `/markets/EURUSD/5m`.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Headlines } from '../news/headlines.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { partsOf } from '../ui/address.ts';
import { Toggle } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { HostedElement } from '../ui/hosted-element.tsx';
import type { PageView } from '../ui/page.ts';
import { InstrumentHead } from './instrument-head.tsx';
import { MarketPanels } from './market-panels.ts';
import { ResizeHandle } from './resize-handle.tsx';

/** A phone has room for one panel below the chart. The style sheet goes by `data-below`; wider screens show all of them. */
const BELOW_CHART = [
  ['watchlist', 'Watchlist'],
  ['flow', 'Order flow'],
  ['headlines', 'Headlines'],
] as const;

interface Props {
  readonly services: TerminalServices;
  /** Opens the panel of layouts, which is not part of the first load. */
  readonly openLayouts: (button: HTMLElement, panels: MarketPanels) => void;
}

export function openMarketsPage(services: TerminalServices, openLayouts: Props['openLayouts']): PageView {
  // A new address is at most another selection.
  const view = <MarketsPage services={services} openLayouts={openLayouts} />;
  return { title: 'Tickwire', view, navigate: () => true };
}

function MarketsPage({ services, openLayouts }: Props) {
  const panels = useMemo(() => new MarketPanels(services), []);
  const [below, setBelow] = useState<(typeof BELOW_CHART)[number][0] | 'none'>('watchlist');
  const { pathname } = currentAddress.value;
  const desk = useRef<HTMLDivElement>(null);
  const { panels: shown, widths } = panels.layout.value;
  const selection = useMemo(() => panels.selectionOf(partsOf(pathname)?.slice(1) ?? []), [pathname]);
  useLayoutEffect(() => {
    panels.watchlist.focus();
    return () => panels.close();
  }, []);
  useLayoutEffect(() => {
    if (selection) panels.show(selection);
  }, [selection]);
  useLayoutEffect(() => {
    const { style } = desk.current!;
    for (const name of ['watchlist', 'side'] as const)
      if (widths[name] === null) style.removeProperty(`--${name}-width`);
      else style.setProperty(`--${name}-width`, `${widths[name]}px`);
  }, [widths]);
  return (
    <div
      ref={desk}
      class="desk"
      data-below={below}
      data-watchlist={shown.watchlist}
      data-flow={shown.flow}
      data-headlines={shown.headlines}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row of buttons on every browser. */}
      <div class="panel-tabs" role="group" aria-label="Below the chart">
        {BELOW_CHART.map(([panel, title]) => (
          <Toggle key={panel} pressed={below === panel} onClick={() => setBelow(below === panel ? 'none' : panel)}>
            {title}
          </Toggle>
        ))}
      </div>
      <HostedElement element={panels.watchlist.element} class="contents" />
      <ResizeHandle
        label="Width of the watchlist"
        class="watchlist-edge"
        measure={() => panels.watchlist.element.offsetWidth}
        onWidth={(watchlist) => panels.resize({ watchlist })}
      />
      <section class="instrument" aria-label="Selected instrument">
        {selection && (
          <InstrumentHead services={services} instrument={selection.instrument} onSwipe={panels.step}>
            <button
              type="button"
              class="timeframe chart-choice layout-button"
              aria-haspopup="dialog"
              aria-expanded="false"
              onClick={({ currentTarget }) => openLayouts(currentTarget, panels)}
            >
              Layout
            </button>
          </InstrumentHead>
        )}
        <HostedElement element={panels.charts.element} class="contents" />
        <ResizeHandle
          label="Width of the panels beside the charts"
          class="side-edge"
          toLeft
          measure={() => desk.current?.querySelector<HTMLElement>('.side-panels')?.offsetWidth ?? 0}
          onWidth={(side) => panels.resize({ side })}
        />
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
