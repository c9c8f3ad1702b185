// How the markets page is arranged: one to four charts, what they share, the panels beside them and their widths.

export const MAX_CHARTS = 4;

/** What a chart shows. */
export interface ChartSlot {
  readonly symbol: string;
  readonly interval: string;
}

export const LINKS = ['symbol', 'interval', 'crosshair'] as const;
export type Link = (typeof LINKS)[number];
export const PANELS = ['watchlist', 'flow', 'headlines'] as const;
export type PanelName = (typeof PANELS)[number];

export interface Layout {
  /** At least one. An empty symbol is the instrument that is selected when the layout is opened. */
  readonly charts: readonly ChartSlot[];
  /** What all charts share. */
  readonly linked: Readonly<Record<Link, boolean>>;
  readonly panels: Readonly<Record<PanelName, boolean>>;
  /** Widths of the watchlist and of the panels beside the charts, in pixels; `null` for those of the style sheet. */
  readonly widths: { readonly watchlist: number | null; readonly side: number | null };
}

export const MIN_WIDTH = 200;
export const MAX_WIDTH = 900;

export const ALL_PANELS = { watchlist: true, flow: true, headlines: true };
const OWN_WIDTHS = { watchlist: null, side: null };

export const DEFAULT_LAYOUT: Layout = {
  charts: [{ symbol: '', interval: '' }],
  linked: { symbol: true, interval: false, crosshair: true },
  panels: ALL_PANELS,
  widths: OWN_WIDTHS,
};

/** Whether a stored document can be opened as a layout. */
export const isLayout = ({ charts }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(charts) && charts.length > 0;

/** A stored layout, with every field checked; a wrong field has its default. */
export function readLayout(stored: Readonly<Record<string, unknown>>): Layout {
  const { charts, linked, panels, widths } = stored;
  const slotsRead = Array.isArray(charts) ? charts.slice(0, MAX_CHARTS).map(slotOf) : [];
  const [links, shown, wide] = [Object(linked), Object(panels), Object(widths)];
  const flags = <Name extends string>(names: readonly Name[], from: Record<string, unknown>, usual: object) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        typeof from[name] === 'boolean' ? from[name] : (usual as Record<string, unknown>)[name],
      ]),
    ) as Record<Name, boolean>;
  return {
    charts: slotsRead.length > 0 ? slotsRead : DEFAULT_LAYOUT.charts,
    linked: flags(LINKS, links, DEFAULT_LAYOUT.linked),
    panels: flags(PANELS, shown, DEFAULT_LAYOUT.panels),
    widths: { watchlist: widthOf(wide.watchlist), side: widthOf(wide.side) },
  };
}

function slotOf(stored: unknown): ChartSlot {
  const { symbol, interval } = Object(stored);
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 32) : '');
  return { symbol: text(symbol), interval: text(interval) };
}

/** Within what a screen has room for. */
export const widthOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, value)))
    : null;

/** With this number of charts. New ones start as the last one is. */
export function withCharts(layout: Layout, count: number): Layout {
  const wanted = Math.max(1, Math.min(MAX_CHARTS, count));
  const last = layout.charts.at(-1)!;
  const added = Array.from({ length: Math.max(0, wanted - layout.charts.length) }, () => last);
  return { ...layout, charts: [...layout.charts.slice(0, wanted), ...added] };
}

/** After a chart has changed: charts that share the instrument or the interval follow it. */
export function withSlot(layout: Layout, at: number, slot: ChartSlot): Layout {
  const { linked } = layout;
  return {
    ...layout,
    charts: layout.charts.map((other, index) =>
      index === at
        ? slot
        : {
            symbol: linked.symbol ? slot.symbol : other.symbol,
            interval: linked.interval ? slot.interval : other.interval,
          },
    ),
  };
}

/** Fills in what a layout leaves to the current selection. */
export function completed(layout: Layout, { symbol, interval }: ChartSlot): Layout {
  return {
    ...layout,
    charts: layout.charts.map((slot) => ({
      symbol: layout.linked.symbol ? symbol : slot.symbol || symbol,
      interval: slot.interval || interval,
    })),
  };
}
