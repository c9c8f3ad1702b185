// Buttons of the toolbar, and lists of which one or several entries are chosen.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { type PopoverOptions, togglePopover } from '../../ui/dom/popover.ts';
import { type IconName, icon } from './chart-icons.ts';

const CLASS = 'timeframe chart-choice';

/** A button with an icon. Its title is its accessible name. */
export function iconButton(name: IconName, title: string, onClick: () => void): HTMLButtonElement {
  const button = makeButton('', { class: `${CLASS} chart-icon-button`, title, 'aria-label': title }, onClick);
  button.append(icon(name));
  return button;
}

/** A button that is on or off. */
export function toggleButton(
  text: string,
  title: string,
  isOn: boolean,
  onToggle: (isOn: boolean) => void,
): { readonly button: HTMLButtonElement; readonly set: (isOn: boolean) => void } {
  let on = isOn;
  const set = (next: boolean): void => {
    on = next;
    button.setAttribute('aria-pressed', String(on));
  };
  const button = makeButton(text, { class: CLASS, title }, () => {
    set(!on);
    onToggle(on);
  });
  set(isOn);
  return { button, set };
}

/** Makes a button open a panel below it. */
export function opensPanel(
  button: HTMLButtonElement,
  options: PopoverOptions,
  content: (close: () => void) => Node,
): HTMLButtonElement {
  button.setAttribute('aria-haspopup', options.role === 'menu' ? 'menu' : 'dialog');
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => togglePopover(button, content, options));
  return button;
}

export interface Option<T extends string> {
  readonly value: T;
  readonly text: string;
}

/** A list of which one entry is chosen, for a panel. Arrow keys move in it. */
export function optionList<T extends string>(
  label: string,
  options: readonly Option<T>[],
  chosen: T,
  onChoose: (value: T) => void,
): HTMLElement {
  const buttons = options.map(({ value, text }) => {
    const attributes = { class: 'chart-option', role: 'menuitemradio', 'aria-checked': String(value === chosen) };
    return makeButton(text, attributes, () => onChoose(value));
  });
  const list = make('div', { class: 'chart-options', role: 'group', 'aria-label': label }, ...buttons);
  list.addEventListener('keydown', (event) => moveFocus(event, buttons));
  return list;
}

/** Moves the focus between buttons by arrow keys. False if it is another key. */
export function moveFocus(event: KeyboardEvent, buttons: readonly HTMLElement[]): boolean {
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || at < 0) return false;
  event.preventDefault();
  buttons.at(to % buttons.length)?.focus();
  return true;
}
