// Drawings on the chart, with a bar of tools beside it; in a narrow window, one button of the toolbar instead. Tools and drawings are
// loaded when a tool is chosen, or when the instrument has drawings.
import type { StoredDocuments } from '../../services/stored-documents.ts';
import { make, makeButton } from '../../ui/dom/elements.ts';
import { togglePopover } from '../../ui/dom/popover.ts';
import { iconButton } from '../frame/chart-buttons.ts';
import type { ChartHost, ChartMarket, ChartPart } from '../frame/chart-part.ts';
import type { DrawingTools } from './drawing-tools.ts';
import { type Tool, toolButtons } from './tool-buttons.ts';

const load = () => import('../lazy-parts.ts');

/** Instruments with drawings, asked once for all charts of the page; a failed request is repeated with the next instrument. */
const named = new WeakMap<StoredDocuments, Promise<ReadonlySet<string>>>();

function symbolsWithDrawings(documents: StoredDocuments): Promise<ReadonlySet<string>> {
  const known = named.get(documents);
  if (known) return known;
  const names = documents.names('drawings').then(
    (symbols) => new Set(symbols),
    () => {
      named.delete(documents);
      return new Set<string>();
    },
  );
  named.set(documents, names);
  return names;
}

/** Once the user has drawn, every chart of the page shows drawings: it may be of the same instrument. */
const charts = new Set<() => Promise<void>>();
let used = false;

export function newDrawings(host: ChartHost): ChartPart {
  const { documents, notifier } = host.services;
  let tools: DrawingTools | null = null;
  let loading: Promise<void> | null = null;
  let market: ChartMarket | null = null;
  let panel: { readonly update: () => void } | null = null;

  const start = async (): Promise<void> => {
    const { DrawingTools } = await load();
    if (host.signal.aborted) return;
    tools ??= new DrawingTools(host, () => {
      const chosen = tools?.tool ?? null;
      button.setAttribute('aria-pressed', String(chosen !== null));
      for (const each of rail.querySelectorAll<HTMLElement>('[data-tool]'))
        each.setAttribute('aria-pressed', String(each.dataset.tool === chosen));
      panel?.update();
    });
    if (market) tools.open(market);
    if (used) return;
    used = true;
    for (const show of charts) void show();
  };
  const ready = (): Promise<void> => {
    loading ??= start().catch(() => {
      loading = null;
      notifier.show('The drawing tools could not be loaded. Try again.');
    });
    return loading;
  };
  charts.add(ready);
  host.signal.addEventListener('abort', () => charts.delete(ready));
  /** A tool that is chosen already is put away. */
  const choose = async (tool: Tool): Promise<void> => {
    await ready();
    if (tools?.tool === tool) tools.cancel();
    else tools?.choose(tool);
  };
  const openPanel = async (at: HTMLElement): Promise<void> => {
    await ready();
    const drawn = tools;
    if (!drawn || !market) return;
    if (drawn.tool && at === button) {
      drawn.cancel();
      return;
    }
    const { drawingPanel } = await load();
    const digits = host.market()?.digits ?? market.digits;
    const content = (close: () => void): Node => {
      const made = drawingPanel(drawn, digits, at === button, close);
      panel = made;
      return made.element;
    };
    togglePopover(at, content, {
      label: 'Draw',
      className: 'drawing-popover',
      onClose: () => {
        panel = null;
      },
    });
  };
  // One of the two is shown.
  const button = makeButton('Draw', { class: 'timeframe chart-choice chart-draw', 'aria-haspopup': 'dialog' }, () => {
    void openPanel(button);
  });
  button.setAttribute('aria-pressed', 'false');
  host.addTool(button);
  const list = iconButton('draw', 'Draw', () => void openPanel(list));
  list.setAttribute('aria-haspopup', 'dialog');
  list.setAttribute('aria-expanded', 'false');
  const rail = make('div', { class: 'draw-rail', role: 'group', 'aria-label': 'Drawing tools' }, list);
  rail.append(...toolButtons((tool) => void choose(tool), false));
  host.stage.before(rail);

  return {
    open: (opened) => {
      market = opened;
      if (tools) tools.open(opened);
      else if (used) void ready();
      else
        void symbolsWithDrawings(documents).then((symbols) => {
          if (symbols.has(market!.instrument.symbol)) void ready();
        });
    },
    press: (point, event) => tools?.press(point, event) ?? false,
    menu: (point) => tools?.menu(point) ?? [],
    applyTheme: () => tools?.applyTheme(),
  };
}
