// The menu of the watchlist: groups, columns, the user's lists, and files of symbols.
import { make, makeButton, write } from '../ui/dom/elements.ts';
import { saveFile } from '../ui/save-file.ts';
import { type Arrangement, COLUMNS, READY_MADE, toggled, type WatchList } from './arrangement.ts';
import { importText, readSymbols, writeSymbols } from './symbol-file.ts';
import { COLUMN_TITLES } from './watch-head.ts';
import { MAX_LIST_NAME, MAX_LISTS, nameProblem, type WatchLists } from './watch-lists.ts';

export interface ListMenuOptions {
  readonly lists: WatchLists;
  readonly arrangement: () => Arrangement;
  /** Symbols in the displayed order. */
  readonly displayed: () => readonly string[];
  readonly selected: () => string | null;
  readonly known: ReadonlySet<string>;
  readonly arrange: (changes: Partial<Arrangement>) => void;
  /** The user's lists have changed. */
  readonly changed: () => void;
  /** Tells what was done, such as which symbols of a file are unknown. */
  readonly report: (text: string) => void;
}

const MAX_FILE_BYTES = 1_000_000;

export function listMenu(options: ListMenuOptions): HTMLElement {
  const element = make('div', 'list-menu');
  const message = make('p', { class: 'list-message', role: 'status' });
  const render = (): void => {
    const inside = element.contains(document.activeElement);
    const focused = document.activeElement?.getAttribute('data-key') ?? '';
    element.replaceChildren(...sections(options, render, message), message);
    if (!inside) return;
    // The same control, or the first one if it is gone.
    const same = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`);
    (same ?? element.querySelector('input'))?.focus({ preventScroll: true });
  };
  render();
  return element;
}

function sections(options: ListMenuOptions, render: () => void, message: HTMLElement): readonly HTMLElement[] {
  const { lists, arrange } = options;
  const { view, grouped, columns } = options.arrangement();
  const list = lists.list(view);
  const symbol = options.selected();
  const changed = (text: string): void => {
    options.changed();
    render();
    write(message, text);
  };
  const show = (id: string): void => arrange({ view: id, sort: null });
  const create = (name: string, members: readonly string[]): WatchList | null => {
    const problem =
      lists.all.length >= MAX_LISTS ? `There are ${MAX_LISTS} lists already.` : nameProblem(name, lists.all);
    if (problem !== '') {
      write(message, problem);
      return null;
    }
    const made = lists.create(name, members);
    show(made.id);
    return made;
  };
  const group = (title: string, ...inside: readonly (HTMLElement | string)[]): HTMLElement =>
    make('fieldset', 'list-section line', make('legend', {}, title), ...inside);
  const check = (key: string, text: string, checked: boolean, onChange: () => void): HTMLElement => {
    const box = make('input', { type: 'checkbox', 'data-key': key });
    box.checked = checked;
    box.addEventListener('change', () => {
      onChange();
      render();
    });
    return make('label', 'list-check line', box, text);
  };
  return [
    group(
      'Order',
      check('grouped', 'Group by type', grouped, () => arrange({ grouped: !grouped, sort: null })),
    ),
    group(
      'Columns',
      ...COLUMNS.map((column) =>
        check(`column-${column}`, COLUMN_TITLES[column], columns.includes(column), () => {
          const chosen = toggled(columns, column);
          arrange({ columns: COLUMNS.filter((each) => chosen.includes(each)) });
        }),
      ),
    ),
    ...(symbol === null || lists.all.length === 0
      ? []
      : [
          group(
            `${symbol} is in`,
            ...lists.all.map((each) =>
              check(`in-${each.id}`, each.name, each.symbols.includes(symbol), () => {
                lists.put({ ...each, symbols: toggled(each.symbols, symbol) });
                options.changed();
              }),
            ),
          ),
        ]),
    group(
      'New list',
      nameForm('New list', 'Create', '', (name) => {
        const made = create(name, []);
        if (made) changed(`${made.name} was created. Add instruments with the box “${symbol ?? 'Instrument'} is in”.`);
      }),
    ),
    ...(list
      ? [
          group(
            'This list',
            nameForm('Name of this list', 'Rename', list.name, (name) => {
              const problem = nameProblem(
                name,
                lists.all.filter(({ id }) => id !== list.id),
              );
              if (problem === '') lists.put({ ...list, name: name.trim() });
              if (problem === '') changed('The list was renamed.');
              else write(message, problem);
            }),
            makeButton(`Delete ${list.name}`, { class: 'plain', 'data-key': 'delete' }, () => {
              lists.remove(list.id);
              show('all');
              changed(`${list.name} was deleted.`);
            }),
          ),
        ]
      : []),
    group(
      'File',
      importButton(options, (name, read) => {
        const text = importText(name, read);
        const made = read.symbols.length === 0 ? null : create(freeName(name, lists.all), read.symbols);
        if (made) changed(text);
        else if (read.symbols.length === 0) write(message, text);
        options.report(text);
      }),
      makeButton('Export', { class: 'plain', 'data-key': 'export' }, () => {
        const name = list?.name ?? READY_MADE[view as keyof typeof READY_MADE] ?? 'watchlist';
        saveFile(`${name.replace(/[^\w-]+/g, '-')}.csv`, writeSymbols(options.displayed()));
      }),
    ),
  ];
}

function nameForm(label: string, submit: string, value: string, onSubmit: (name: string) => void): HTMLElement {
  const field = make('input', {
    type: 'text',
    'aria-label': label,
    maxlength: MAX_LIST_NAME,
    value,
    autocomplete: 'off',
  });
  field.dataset.key = label;
  const form = make('form', 'list-name', field, make('button', { type: 'submit', class: 'plain' }, submit));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit(field.value);
  });
  return form;
}

function importButton(
  { known }: ListMenuOptions,
  onRead: (name: string, read: ReturnType<typeof readSymbols>) => void,
): HTMLElement {
  const field = make('input', { type: 'file', accept: '.csv,.txt,text/csv,text/plain', class: 'unseen', tabindex: -1 });
  field.setAttribute('aria-label', 'File of symbols');
  field.addEventListener('change', async () => {
    const [file] = field.files ?? [];
    if (!file) return;
    const text = file.size > MAX_FILE_BYTES ? '' : await file.text();
    field.value = '';
    onRead(file.name.replace(/\.\w+$/, '').slice(0, MAX_LIST_NAME), readSymbols(text, known));
  });
  const button = makeButton('Import…', { class: 'plain', 'data-key': 'import' }, () => field.click());
  return make('span', {}, field, button);
}

/** A name that no list has: `Majors`, `Majors 2`. */
function freeName(name: string, lists: readonly WatchList[]): string {
  const base = name.trim() === '' ? 'Imported' : name.trim();
  for (let number = 1; ; number++) {
    const tried = number === 1 ? base : `${base.slice(0, MAX_LIST_NAME - 4)} ${number}`;
    if (nameProblem(tried, lists) === '') return tried;
  }
}
