// The tools beside the chart, and the panel of the button Draw: magnet, lock and hide, and the list of the drawings; in a narrow
// window, where nothing is beside the chart, the tools, too.
import { askToConfirm } from '../../ui/dialog.tsx';
import { make, makeButton } from '../../ui/dom/elements.ts';
import { price, setNumber } from '../../ui/format.ts';
import { type Drawing, MAX_DRAWINGS, nameOf } from './drawing.ts';
import type { DrawingSettings } from './drawing-settings.ts';
import { type Tool, toolButtons } from './tool-buttons.ts';

export interface PanelTools {
  readonly symbol: string;
  readonly settings: DrawingSettings;
  readonly drawings: readonly Drawing[];
  readonly selected: Drawing | null;
  choose(tool: Tool): void;
  set(changes: Partial<DrawingSettings>): void;
  select(id: string | null): void;
  remove(...drawings: readonly Drawing[]): void;
}

const SWITCHES = [
  ['magnet', 'Magnet', 'Points snap to open, high, low and close'],
  ['locked', 'Lock all', 'Nothing can be moved by accident'],
  ['hidden', 'Hide all', 'Keeps them, but does not show them'],
] as const;

/** Returns the content, and writes it again when the drawings change. */
export function drawingPanel(
  tools: PanelTools,
  digits: number,
  withTools: boolean,
  close: () => void,
): { readonly element: HTMLElement; readonly update: () => void } {
  const list = make('ul', { class: 'drawing-list plain-list', 'aria-label': 'Drawings' });
  const count = make('p', 'hint');
  const deleteAll = makeButton('Delete all…', 'quiet drawing-action', () => {
    close();
    askToDeleteAll(tools);
  });
  const switches = SWITCHES.map(([name, text, title]) => {
    const button = makeButton(text, { class: 'timeframe drawing-action', title }, () => {
      tools.set({ [name]: !tools.settings[name] });
      update();
    });
    return { name, button };
  });
  const update = (): void => {
    for (const { name, button } of switches) button.setAttribute('aria-pressed', String(tools.settings[name]));
    const focused = list.contains(document.activeElement);
    list.replaceChildren(
      ...tools.drawings.toReversed().map((drawing) => {
        const name = `${nameOf(drawing)}, ${price(drawing.points[0]!.price, digits)}`;
        const select = makeButton(name, { class: 'quiet drawing-entry clip', 'aria-label': `Select ${name}` }, () => {
          close();
          tools.select(drawing.id);
        });
        if (drawing.id === tools.selected?.id) select.setAttribute('aria-current', 'true');
        const remove = makeButton('Delete', { class: 'quiet drawing-action', 'aria-label': `Delete ${name}` }, () => {
          tools.remove(drawing);
          update();
        });
        return make('li', {}, select, remove);
      }),
    );
    // The pressed button is gone: the focus goes to the next one, not out of the panel.
    if (focused) (list.querySelector('button') ?? switches[0]!.button).focus({ preventScroll: true });
    const { length } = tools.drawings;
    count.textContent =
      length === 0 ? `No drawings on ${tools.symbol}` : `${setNumber(String(length))} of ${MAX_DRAWINGS} drawings`;
    deleteAll.hidden = length === 0;
  };
  update();
  const choose = (tool: Tool): void => {
    close();
    tools.choose(tool);
  };
  const group = { class: 'drawing-tools', role: 'group', 'aria-label': 'Tools' };
  const element = make(
    'div',
    'drawing-panel',
    ...(withTools ? [make('div', group, ...toolButtons(choose, true))] : []),
    make(
      'div',
      { class: 'timeframes', role: 'group', 'aria-label': 'All drawings' },
      ...switches.map(({ button }) => button),
    ),
    list,
    make('div', 'drawing-foot line', count, deleteAll),
  );
  return { element, update };
}

function askToDeleteAll(tools: PanelTools): void {
  const { symbol, drawings } = tools;
  const what = drawings.length === 1 ? 'The drawing is' : `All ${drawings.length} drawings are`;
  askToConfirm({
    title: `Delete all drawings of ${symbol}?`,
    text: `${what} deleted on all your devices. You can undo this as long as the page is open.`,
    confirm: 'Delete all',
    act: async () => tools.remove(...tools.drawings),
  });
}
