// A long list of which only what is in sight is in the document. All rows are equally high, as the style sheet says in `--row`.

export interface WindowRow<T> {
  readonly element: HTMLElement;
  show(item: T): void;
}

export interface RowWindowOptions<T extends { readonly id: string }> {
  /** What scrolls. */
  readonly viewport: HTMLElement;
  /** Inside it: as high as all rows together. */
  readonly list: HTMLElement;
  readonly make: (item: T) => WindowRow<T>;
  /** Told whenever other rows are in sight. */
  readonly onSight: (items: readonly T[]) => void;
}

/** Rows beyond the edges, so that a quick scroll does not show a hole. */
const SPARE = 8;
const ROW_PX = 48;

export class RowWindow<T extends { readonly id: string }, R extends WindowRow<T>> {
  readonly #options: RowWindowOptions<T>;
  readonly #rows = new Map<string, R>();
  #items: readonly T[] = [];
  #rowPx = ROW_PX;

  constructor(signal: AbortSignal, options: RowWindowOptions<T> & { readonly make: (item: T) => R }) {
    this.#options = options;
    const { viewport } = options;
    viewport.addEventListener('scroll', () => this.#place(), { signal, passive: true });
    const observer = new ResizeObserver(() => this.#place());
    observer.observe(viewport);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  get rows(): Iterable<R> {
    return this.#rows.values();
  }

  row(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** Those between the edges of the viewport. */
  get inSight(): readonly T[] {
    const [first, last] = this.#range(0);
    return this.#items.slice(first, last);
  }

  show(items: readonly T[]): void {
    this.#items = items;
    this.#place();
    for (const item of items) this.#rows.get(item.id)?.show(item);
  }

  /** Brings a row into sight, so that it can have the focus. */
  reveal(index: number): R | undefined {
    const item = this.#items[index];
    if (!item) return undefined;
    const { viewport } = this.#options;
    const top = index * this.#rowPx;
    if (top < viewport.scrollTop) viewport.scrollTop = top;
    else if (top + this.#rowPx > viewport.scrollTop + viewport.clientHeight)
      viewport.scrollTop = top + this.#rowPx - viewport.clientHeight;
    this.#place();
    return this.#rows.get(item.id);
  }

  /** Rows that fit between the edges. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.#options.viewport.clientHeight / this.#rowPx) - 1);
  }

  #range(spare: number): readonly [first: number, end: number] {
    const { scrollTop, clientHeight } = this.#options.viewport;
    const first = Math.max(0, Math.floor(scrollTop / this.#rowPx) - spare);
    return [first, Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / this.#rowPx) + spare)];
  }

  #place(): void {
    const { list, make, onSight } = this.#options;
    const told = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row'));
    this.#rowPx = told > 0 ? told : ROW_PX;
    list.style.height = `${this.#items.length * this.#rowPx}px`;
    const [first, end] = this.#range(SPARE);
    const kept = new Set<string>();
    let behind: Element | null = null;
    for (let at = first; at < end; at++) {
      const item = this.#items[at]!;
      kept.add(item.id);
      let row = this.#rows.get(item.id);
      if (!row) {
        row = make(item) as R;
        this.#rows.set(item.id, row);
      }
      const { element } = row;
      element.style.top = `${at * this.#rowPx}px`;
      element.setAttribute('aria-posinset', String(at + 1));
      element.setAttribute('aria-setsize', String(this.#items.length));
      // The order of the document is that of the list, for who reads or tabs through it; moving only what is elsewhere
      // keeps the focus where it is.
      const next: Element | null = behind === null ? list.firstElementChild : behind.nextElementSibling;
      if (next !== element) list.insertBefore(element, next);
      behind = element;
    }
    const items = new Set(this.#items.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      // What has the focus stays, though out of sight, as long as it is in the list.
      if (kept.has(id) || (items.has(id) && row.element.contains(document.activeElement))) continue;
      this.#rows.delete(id);
      row.element.remove();
    }
    onSight(this.inSight);
  }
}
