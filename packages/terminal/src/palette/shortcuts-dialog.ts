// All shortcuts there are at this moment, by groups, and the switch that turns those of a single key off.
import { box, button, make } from '../elements.ts';
import { type Keyboard, keyCaps, type Shortcut } from './keyboard.ts';

export function showShortcuts(keyboard: Keyboard, mac: boolean): void {
  const title = make('h2', '', 'Keyboard shortcuts');
  title.id = 'shortcuts-title';
  const groups = Map.groupBy(keyboard.shortcuts, ({ group }) => group);
  const lists = [...groups].map(([group, shortcuts]) =>
    box('section', '', make('h3', '', group), box('dl', '', ...shortcuts.map((each) => line(each, mac)))),
  );
  const close = button('Close', 'plain', () => dialog.close());
  const foot = box('div', 'actions', singleKeys(keyboard), close);
  const dialog = box('dialog', 'dialog shortcuts', title, box('div', 'shortcut-groups', ...lists), foot);
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

function line({ keys, title }: Shortcut, mac: boolean): HTMLElement {
  const caps = keyCaps(keys, mac).map((cap) => make('kbd', '', cap));
  // Two keys after each other, or at once.
  const between = keys.includes(' ') ? 'then' : '+';
  const written = caps.flatMap((cap, at) => (at === 0 ? [cap] : [make('small', '', between), cap]));
  return box('div', '', box('dt', '', ...written), make('dd', '', title));
}

function singleKeys(keyboard: Keyboard): HTMLElement {
  const input = make('input', '');
  input.type = 'checkbox';
  input.checked = keyboard.singleKeys;
  input.addEventListener('change', () => {
    keyboard.singleKeys = input.checked;
  });
  return box('label', 'check', input, 'Shortcuts of single keys, such as / and 1');
}
