// The panels of the view tools: go to a date, and save the chart as an image or its bars as CSV.
import { make } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { optionList } from './frame/chart-buttons.ts';
import type { ChartHost, GoneTo } from './frame/chart-part.ts';
import { saveCsv, saveImage } from './save-chart.ts';

const GONE_TO: Readonly<Record<GoneTo, string>> = {
  shown: '',
  'no history': 'The recorded history does not reach back to this date. The oldest bar is shown.',
  full: 'The chart cannot hold enough bars to reach this date. Choose a longer interval.',
};

export function openDatePanel(button: HTMLElement, host: ChartHost): void {
  togglePopover(button, (close) => datePanel(host, close), { label: 'Go to date' });
}

export function openSaveMenu(button: HTMLElement, host: ChartHost): void {
  const kinds = [
    { value: 'image', text: 'Image (PNG)' },
    { value: 'csv', text: 'Loaded bars (CSV)' },
  ];
  const content = (close: () => void): Node =>
    optionList('Save', kinds, '', (kind) => {
      close();
      (kind === 'image' ? saveImage : saveCsv)(host);
    });
  togglePopover(button, content, { label: 'Save', role: 'menu' });
}

function datePanel(host: ChartHost, close: () => void): Node {
  const field = make('input', { type: 'datetime-local', class: 'popover-field', 'aria-label': 'Date and time, UTC' });
  const first = host.bars()?.candles[0];
  if (first) field.value = new Date(first.time).toISOString().slice(0, 16);
  const go = make('button', { class: 'plain', type: 'submit' }, 'Go');
  const message = make('p', { class: 'popover-note', role: 'status' });
  const form = make('form', 'popover-form', field, go);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const time = Date.parse(`${field.value}Z`);
    if (Number.isNaN(time)) {
      message.textContent = 'Enter a date and a time.';
      return;
    }
    message.textContent = 'Loading…';
    go.disabled = true;
    void host.goTo(time).then((gone) => {
      go.disabled = false;
      message.textContent = GONE_TO[gone];
      if (gone === 'shown') close();
    });
  });
  return make('div', 'popover-stack', make('p', 'popover-note', 'Date and time, UTC'), form, message);
}
