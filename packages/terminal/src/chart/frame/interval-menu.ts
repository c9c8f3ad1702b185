// All intervals, with a star for those that have a button, and a field for any other.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { togglePopover } from '../../ui/dom/popover.ts';
import { intervalText, readInterval } from '../bars/intervals.ts';
import { moveFocus } from './chart-buttons.ts';

export interface IntervalMenuOptions {
  readonly intervals: readonly string[];
  readonly current: string;
  readonly isFavourite: (interval: string) => boolean;
  readonly onFavourite: (interval: string) => void;
  readonly onChoose: (interval: string) => void;
}

const REFUSED = 'Minutes up to a day, such as 7m or 2h; 1d, 1w or 1M.';

export function openIntervalMenu(button: HTMLElement, options: (close: () => void) => IntervalMenuOptions): void {
  togglePopover(button, (close) => intervalMenu(options(close)), { label: 'Intervals', className: 'interval-menu' });
}

function intervalMenu(options: IntervalMenuOptions): Node {
  const { intervals, current, onChoose } = options;
  const message = make('p', { class: 'popover-note', role: 'alert' });
  const field = make('input', {
    type: 'text',
    class: 'popover-field',
    placeholder: 'Such as 7m',
    'aria-label': 'Interval',
    autocomplete: 'off',
    maxlength: 8,
  });
  const form = make('form', 'popover-form', field, make('button', { class: 'plain', type: 'submit' }, 'Show'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const interval = readInterval(field.value);
    if (interval !== null) onChoose(interval);
    else message.textContent = REFUSED;
  });
  const choices = intervals.map((interval) => {
    const attributes = {
      class: 'chart-option',
      'aria-pressed': String(interval === current),
      title: `Bars of ${intervalText(interval)}`,
    };
    return makeButton(interval, attributes, () => onChoose(interval));
  });
  const list = make(
    'div',
    'interval-list',
    ...intervals.map((interval, at) => make('div', 'interval-row', choices[at]!, star(interval, options))),
  );
  list.addEventListener('keydown', (event) => moveFocus(event, choices));
  return make('div', 'popover-stack', form, message, list);
}

function star(interval: string, { isFavourite, onFavourite }: IntervalMenuOptions): HTMLButtonElement {
  const show = (): void => {
    button.textContent = isFavourite(interval) ? '★' : '☆';
    button.setAttribute('aria-pressed', String(isFavourite(interval)));
  };
  const attributes = { class: 'chart-star bare muted', 'aria-label': `Favourite ${interval}` };
  const button = makeButton('', attributes, () => {
    onFavourite(interval);
    show();
  });
  show();
  return button;
}
