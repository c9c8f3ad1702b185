// The panel of the toolbar: the indicators of the chart, and a search over all that the service has.
import type { IndicatorDescription } from '@tickwire/client';
import { guideLink, make, makeButton, write } from '../../ui/dom/elements.ts';
import { explain } from '../../ui/failure.ts';
import { type IndicatorChoice, MAX_INDICATORS, newChoice, shortTitle } from './indicator-choice.ts';
import type { IndicatorsControl } from './indicator-control.ts';
import { indicatorEditor } from './indicator-editor.ts';
import { lineColor } from './indicator-style.ts';
import { PaneTitle } from './pane-title.ts';

export interface IndicatorPanelOptions {
  readonly content: HTMLElement;
  readonly control: IndicatorsControl;
  /** Opens the editor of this indicator; `null` for the list. */
  readonly id: string | null;
  /** Aborted when the panel is closed. */
  readonly signal: AbortSignal;
  readonly close: () => void;
}

export function showIndicatorPanel(options: IndicatorPanelOptions): void {
  const panel = new IndicatorPanel(options);
  void panel.open();
}

class IndicatorPanel {
  readonly #options: IndicatorPanelOptions;
  readonly #search = make('input', {
    type: 'search',
    placeholder: 'Search indicators',
    'aria-label': 'Search indicators',
    autocomplete: 'off',
  });
  readonly #active = make('ul', { class: 'indicator-active', 'aria-label': 'On the chart' });
  readonly #found = make('ul', { class: 'indicator-found', 'aria-label': 'Available' });
  readonly #state = make('p', { class: 'indicator-state muted', role: 'status' }, 'Loading…');
  readonly #list: HTMLElement;
  #catalogue: readonly IndicatorDescription[] = [];
  #edited: string | null;

  constructor(options: IndicatorPanelOptions) {
    this.#options = options;
    this.#edited = options.id;
    const undo = makeButton('Undo', { class: 'linklike', title: 'Undo the last change of the chart' }, () =>
      options.control.undo(),
    );
    this.#search.addEventListener('input', () => this.#showFound());
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#found.querySelector('button')?.click();
    });
    this.#list = make(
      'div',
      'indicator-list',
      make('div', 'indicator-head', this.#search, undo),
      this.#active,
      this.#state,
      this.#found,
      guideLink('indicators#all-indicators', 'Guide: indicators'),
    );
  }

  async open(): Promise<void> {
    const { content, control, signal } = this.#options;
    content.append(this.#list);
    this.#showActive();
    if (this.#edited === null) this.#search.focus({ preventScroll: true });
    control.onChange(signal, () => this.#onChange());
    try {
      this.#catalogue = (await control.catalogue()).items;
    } catch (error) {
      write(this.#state, `The indicators could not be loaded. ${explain(error).general}`);
      return;
    }
    if (signal.aborted) return;
    this.#showFound();
    if (this.#edited !== null) this.#edit(this.#edited);
  }

  #onChange(): void {
    this.#showActive();
    const { control } = this.#options;
    if (this.#edited !== null && !control.choices().some(({ id }) => id === this.#edited)) this.#showList();
  }

  #showList(): void {
    const edited = this.#edited;
    this.#edited = null;
    this.#options.content.replaceChildren(this.#list);
    const button = this.#active.querySelector<HTMLElement>(`[data-id="${CSS.escape(edited ?? '')}"] button`);
    (button ?? this.#search).focus({ preventScroll: true });
  }

  #edit(id: string): void {
    const { content, control } = this.#options;
    const choice = control.choices().find((each) => each.id === id);
    const entry = this.#catalogue.find(({ name }) => name === choice?.name);
    if (!choice || !entry) return;
    this.#edited = id;
    const editor = indicatorEditor({
      choice,
      entry,
      onCancel: () => this.#showList(),
      onSave: (changed) => {
        control.change(control.choices().map((each) => (each.id === id ? changed : each)));
        this.#showList();
      },
    });
    content.replaceChildren(editor);
    editor.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }

  #showActive(): void {
    const { control } = this.#options;
    const choices = control.choices();
    const focused = this.#active.contains(document.activeElement);
    // A button that hides an indicator becomes one that shows it.
    const nameOf = (button: Element | null): string => button?.ariaLabel?.replace(/^Show/, 'Hide') ?? '';
    const at = nameOf(document.activeElement);
    this.#active.replaceChildren(...choices.map((choice) => this.#activeRow(choice, choices)));
    this.#active.hidden = choices.length === 0;
    if (!focused) return;
    // The list was rebuilt: the focus stays where it was, or goes to the search if that button is gone.
    const same = [...this.#active.querySelectorAll('button')].find((each) => nameOf(each) === at);
    (same ?? this.#search).focus({ preventScroll: true });
  }

  #activeRow(choice: IndicatorChoice, choices: readonly IndicatorChoice[]): HTMLElement {
    const { control, close } = this.#options;
    const { id, lines } = choice;
    const set = (hidden: boolean): void =>
      control.change(choices.map((each) => (each.id === id ? { ...each, hidden } : each)));
    const title = new PaneTitle(shortTitle(choice), {
      alert: () => {
        close();
        control.alert(choice);
      },
      edit: () => this.#edit(id),
      ...(choice.hidden ? { show: () => set(false) } : { hide: () => set(true) }),
      remove: () => control.change(choices.filter((each) => each.id !== id)),
    });
    title.show([{ name: '', text: '', color: lineColor(choice, lines[0] ?? '') }], control.problemOf(choice));
    title.element.toggleAttribute('data-hidden', choice.hidden);
    return make('li', { 'data-id': id }, title.element);
  }

  #showFound(): void {
    const words = this.#search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const matches = this.#catalogue
      .map((entry) => ({ entry, rank: rankOf(entry, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank)
      .map(({ entry }) => entry);
    this.#found.replaceChildren(...matches.map((entry) => this.#foundRow(entry)));
    const none = `No indicator has “${this.#search.value.slice(0, 40)}” in its name or description.`;
    write(this.#state, matches.length === 0 && this.#catalogue.length > 0 ? none : '');
  }

  #foundRow(entry: IndicatorDescription): HTMLElement {
    const { control } = this.#options;
    const add = makeButton('', { class: 'indicator-add bare' }, () => {
      const choices = control.choices();
      if (choices.length >= MAX_INDICATORS) {
        write(this.#state, `A chart has at most ${MAX_INDICATORS} indicators.`);
        return;
      }
      control.change([...choices, newChoice(entry, choices)]);
    });
    const where = entry.needs_trades ? 'Needs trades. ' : '';
    add.append(
      make('span', 'unseen', 'Add '),
      make('span', 'indicator-title', entry.title),
      make('span', 'indicator-code muted tiny', entry.name),
      make('span', 'indicator-about muted tiny', `${where}${entry.description}`),
    );
    return make('li', {}, add);
  }
}

/** How well an entry matches all words: by name best, then by title, then by description; 0 if it does not. */
function rankOf({ name, aliases, title, description }: IndicatorDescription, words: readonly string[]): number {
  if (words.length === 0) return 1;
  const ranks = words.map((word) => {
    if ([name, ...aliases].some((each) => each === word)) return 4;
    if ([name, ...aliases].some((each) => each.startsWith(word))) return 3;
    if (title.toLowerCase().includes(word)) return 2;
    return description.toLowerCase().includes(word) ? 1 : 0;
  });
  return ranks.includes(0) ? 0 : ranks.reduce<number>((sum, rank) => sum + rank, 0);
}
