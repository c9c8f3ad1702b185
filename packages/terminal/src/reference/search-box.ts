// The search field of the reference: `/` focuses it, arrows select a result, Enter opens it. The index is loaded on first use.
import { all, make } from './page-tools.ts';
import { addressOf, type SearchIndex, search } from './search.ts';

const INDEX_PATH = '/docs/search.json';

export function startSearch(): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = document.querySelector<HTMLInputElement>('#search');
  const list = document.querySelector<HTMLElement>('#results');
  if (box && input && list) new SearchBox(box, input, list).start();
}

class SearchBox {
  readonly #box: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  #index: Promise<SearchIndex> | null = null;
  /** Position of the selected result. */
  #selected = 0;

  constructor(box: HTMLElement, input: HTMLInputElement, list: HTMLElement) {
    this.#box = box;
    this.#input = input;
    this.#list = list;
  }

  start(): void {
    this.#box.hidden = false;
    this.#input.addEventListener('focus', () => void this.#load().catch(() => {}));
    this.#input.addEventListener('input', () => void this.#show());
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    window.addEventListener('keydown', (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isField(target)) return;
      event.preventDefault();
      this.#input.focus();
      this.#input.select();
    });
    window.addEventListener('pointerdown', ({ target }) => {
      if (!this.#box.contains(target as Node)) this.#close();
    });
    // A click on a result must not take the focus first.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#box.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && !this.#box.contains(relatedTarget as Node)) this.#close();
    });
  }

  #load(): Promise<SearchIndex> {
    this.#index ??= fetch(INDEX_PATH).then((response) => {
      if (!response.ok) throw new Error(`${INDEX_PATH}: ${response.status}`);
      return response.json() as Promise<SearchIndex>;
    });
    // A failed load is repeated on the next use.
    this.#index.catch(() => {
      this.#index = null;
    });
    return this.#index;
  }

  async #show(): Promise<void> {
    const typed = this.#input.value;
    if (typed.trim() === '') {
      this.#close();
      return;
    }
    const index = await this.#load().catch(() => null);
    // Newer text is shown by its own event.
    if (typed !== this.#input.value) return;
    const found = index ? search(index, typed) : [];
    this.#list.replaceChildren(
      ...found.map((entry, at) => {
        const [kind, title, detail] = entry;
        const item = make('li');
        item.id = `result-${at}`;
        item.setAttribute('role', 'option');
        item.append(make('code', title), ' ', make('span', detail), ' ', make('small', kind));
        item.addEventListener('click', () => {
          this.#close();
          location.assign(addressOf(index!, entry));
        });
        return item;
      }),
    );
    if (found.length === 0) {
      const none = make('li', index ? 'Nothing found' : 'The search could not be loaded', 'none');
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      this.#list.append(none);
    }
    this.#list.hidden = false;
    this.#input.setAttribute('aria-expanded', 'true');
    this.#select(0);
  }

  #press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape') {
      if (this.#list.hidden) this.#input.blur();
      this.#close();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.#select(this.#selected + (key === 'ArrowDown' ? 1 : -1));
    } else if (key === 'Enter' && !this.#list.hidden) {
      all('li:not(.none)', this.#list)[this.#selected]?.click();
    } else return;
    event.preventDefault();
  }

  #select(at: number): void {
    const items = all('li:not(.none)', this.#list);
    this.#input.removeAttribute('aria-activedescendant');
    if (items.length === 0) return;
    this.#selected = (at + items.length) % items.length;
    for (const [position, item] of items.entries())
      item.setAttribute('aria-selected', String(position === this.#selected));
    const item = items[this.#selected]!;
    this.#input.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  }

  #close(): void {
    this.#list.hidden = true;
    this.#list.replaceChildren();
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
  }
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
