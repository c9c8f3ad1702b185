// The panel that chooses the instruments to compare with. Their lines in the legend remove them.
import type { Instrument } from '@tickwire/client';
import { make, makeButton } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';

export interface ComparePanelOptions {
  readonly instruments: readonly Instrument[];
  /** Maximum number of lines. */
  readonly most: number;
  /** The symbol of the chart. */
  readonly own: () => string | undefined;
  readonly compared: () => readonly string[];
  readonly add: (symbol: string) => void;
}

const MAX_FOUND = 8;

export function openComparePanel(button: HTMLElement, options: ComparePanelOptions): void {
  togglePopover(button, () => panel(options), { label: 'Compare', className: 'compare-panel' });
}

function panel(options: ComparePanelOptions): Node {
  const { compared, most } = options;
  const attributes = { type: 'search', class: 'popover-field', 'aria-label': 'Instrument', placeholder: 'Instrument' };
  const field = make('input', { ...attributes, autocomplete: 'off' });
  const found = make('div', 'chart-options');
  const show = (): void => {
    if (compared().length >= most) found.replaceChildren(make('p', 'popover-note', `${most} lines at most.`));
    else found.replaceChildren(...matching(options, field.value, show));
  };
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') found.querySelector('button')?.click();
  });
  show();
  return make('div', 'popover-stack', field, found);
}

function matching(
  { instruments, own, compared, add }: ComparePanelOptions,
  text: string,
  show: () => void,
): readonly HTMLElement[] {
  const wanted = text.trim().toLowerCase();
  const left = [own(), ...compared()];
  const matches = instruments
    .filter(({ symbol, name }) => !left.includes(symbol) && `${symbol} ${name}`.toLowerCase().includes(wanted))
    .slice(0, MAX_FOUND);
  if (matches.length === 0) return [make('p', 'popover-note', 'No such instrument.')];
  return matches.map(({ symbol, name }) =>
    makeButton(`${symbol} ${name}`, { class: 'chart-option', 'aria-label': `Compare with ${symbol} ${name}` }, () => {
      add(symbol);
      show();
    }),
  );
}
