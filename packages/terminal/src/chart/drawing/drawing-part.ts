// Drawings on the chart. The code behind the button is loaded when it is pressed, or when the instrument has drawings.
import type { StoredDocuments } from '../../services/stored-documents.ts';
import { makeButton } from '../../ui/dom/elements.ts';
import { togglePopover } from '../../ui/dom/popover.ts';
import type { ChartHost, ChartMarket, ChartPart } from '../frame/chart-part.ts';
import type { DrawingTools } from './drawing-tools.ts';

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
      button.setAttribute('aria-pressed', String(tools?.tool != null));
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
  const openPanel = async (): Promise<void> => {
    await ready();
    const drawn = tools;
    if (!drawn || !market) return;
    if (drawn.tool) {
      drawn.cancel();
      return;
    }
    const { drawingPanel } = await load();
    const digits = host.market()?.digits ?? market.digits;
    const content = (close: () => void): Node => {
      const made = drawingPanel(drawn, digits, close);
      panel = made;
      return made.element;
    };
    togglePopover(button, content, {
      label: 'Draw',
      className: 'drawing-popover',
      onClose: () => {
        panel = null;
      },
    });
  };
  const button = makeButton('Draw', { class: 'timeframe chart-choice', 'aria-haspopup': 'dialog' }, () => {
    void openPanel();
  });
  button.setAttribute('aria-pressed', 'false');
  host.addTool(button);

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
