// The command palette: everything by name, with the keyboard. A modal dialog, so that the browser keeps the focus inside
// and gives it back; a combobox over a listbox, so that it can be heard as well as seen.
import { box, button, make } from '../elements.ts';
import type { Workspace } from '../workspace.ts';
import { type Command, commandsOf } from './commands.ts';
import { rank } from './fuzzy.ts';
import { keyboard, keyCaps, listenToKeys, type Shortcut } from './keyboard.ts';
import { showShortcuts } from './shortcuts-dialog.ts';

const MOST = 50;
const PAGE = 8;
/** The second key after `g`, by the name of the page. A page without one is gone to by its name. */
const PAGE_KEYS: Readonly<Record<string, string>> = {
  markets: 'm',
  signals: 's',
  publishers: 'p',
  news: 'n',
  settings: ',',
};

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export class Palette {
  /** For the top line: who does not know the key finds it. */
  readonly button = button('', 'palette-open', () => this.open());
  readonly #workspace: Workspace;
  readonly #dialog = make('dialog', 'palette');
  readonly #input = make('input', '');
  readonly #list = make('ul', 'commands');
  readonly #none = make('p', 'empty', 'Nothing has this in its name.');
  #commands: readonly Command[] = [];
  #found: readonly Command[] = [];
  #at = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    const { signal } = workspace;
    this.#build();
    keyboard.add(signal, this.#shortcuts());
    listenToKeys(keyboard, signal);
    document.body.append(this.#dialog);
    document.querySelector('.top .aside')?.prepend(this.button);
    signal.addEventListener('abort', () => {
      this.#dialog.remove();
      this.button.remove();
    });
  }

  open(): void {
    if (this.#dialog.open) return;
    this.#commands = commandsOf(this.#workspace);
    this.#input.value = '';
    this.#search();
    this.#dialog.showModal();
    this.#input.focus();
  }

  #build(): void {
    const caps = keyCaps('mod+k', isMac);
    const hint = make('kbd', '', caps.join(' '));
    hint.ariaHidden = 'true';
    // Where there is no room for the word, the title is the name.
    this.button.append(lens(), make('span', 'wide', 'Search'), hint);
    this.button.title = `Search and commands (${caps.join(' + ')})`;
    this.#list.id = 'commands';
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', 'Commands');
    this.#input.type = 'text';
    this.#input.placeholder = 'Instrument, page or command';
    this.#input.autocomplete = 'off';
    this.#input.spellcheck = false;
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-label', 'Instrument, page or command'],
      ['aria-controls', 'commands'],
      ['aria-expanded', 'true'],
      ['aria-autocomplete', 'list'],
    ] as const)
      this.#input.setAttribute(name, value);
    this.#none.setAttribute('role', 'status');
    this.#dialog.setAttribute('aria-label', 'Search and commands');
    this.#dialog.append(this.#input, this.#list, this.#none);
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('click', (event) => {
      const option = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
      if (option) this.#run(Number(option.dataset.at));
    });
    // Beside it means away with it.
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
  }

  #shortcuts(): readonly Shortcut[] {
    const { router } = this.#workspace;
    const pages = router.kinds.flatMap(({ name, label }): Shortcut[] => {
      const key = PAGE_KEYS[name];
      const title = `Go to ${(label ?? name).toLowerCase()}`;
      const path = name === 'markets' ? '/' : `/${name}`;
      return key === undefined ? [] : [{ keys: `g ${key}`, title, group: 'Pages', run: () => router.go(path) }];
    });
    return [
      { keys: 'mod+k', title: 'Search and commands', group: 'Everywhere', run: () => this.open() },
      ...pages,
      { keys: '?', title: 'Keyboard shortcuts', group: 'Everywhere', run: () => showShortcuts(keyboard, isMac) },
    ];
  }

  #search(): void {
    const texts = ({ title, also }: Command): readonly string[] => (also === undefined ? [title] : [title, also]);
    const ranked = rank(this.#input.value, this.#commands, texts, MOST);
    this.#found = ranked.map(({ item }) => item);
    this.#list.replaceChildren(...ranked.map(({ item, match }, at) => optionOf(item, match.at, at)));
    this.#none.hidden = ranked.length > 0;
    this.#mark(0);
  }

  #mark(at: number): void {
    this.#at = at;
    for (const [each, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(each === at));
      if (each === at) option.scrollIntoView({ block: 'nearest' });
    }
    const option = this.#list.children[at];
    if (option) this.#input.setAttribute('aria-activedescendant', option.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #key(event: KeyboardEvent): void {
    const last = this.#found.length - 1;
    if (event.isComposing || last < 0) return;
    const at = this.#at;
    const to: Readonly<Record<string, number>> = {
      // Over the end one comes to the beginning: the list is short.
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(last, at + PAGE),
      PageUp: Math.max(0, at - PAGE),
    };
    const next = to[event.key];
    if (next !== undefined) this.#mark(next);
    else if (event.key === 'Enter') this.#run(at);
    else return;
    event.preventDefault();
  }

  #run(at: number): void {
    const command = this.#found[at];
    if (!command) return;
    // First closed, which gives the focus back: the command may want it elsewhere.
    this.#dialog.close();
    command.run();
  }
}

function lens(): SVGElement {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('viewBox', '0 0 16 16');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M10.5 10.5 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z');
  drawing.append(path);
  return drawing;
}

function optionOf({ title, group, keys }: Command, marked: readonly number[], at: number): HTMLElement {
  const letters = title.split('').map((letter, place) => (marked.includes(place) ? make('mark', '', letter) : letter));
  const option = box('li', '', box('span', 'command', ...letters), make('span', 'group-name', group));
  if (keys !== undefined)
    option.append(box('span', 'caps', ...keyCaps(keys, isMac).map((cap) => make('kbd', '', cap))));
  option.id = `command-${at}`;
  option.dataset.at = String(at);
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  return option;
}
