// A long list of which only the visible part is in the document. All rows have the height that the style sheet sets in `--row`.

export interface VirtualRow<T> {
  readonly element: HTMLElement;
  show(item: T): void;
}

export interface VirtualListOptions<T, R> {
  /** The element that scrolls. */
  readonly viewport: HTMLElement;
  /** Inside it: as high as all rows together. */
  readonly list: HTMLElement;
  readonly createRow: (item: T) => R;
  /** Called when other rows may have become visible. */
  readonly onVisible: () => void;
}

/** Rows beyond the edges, so that a quick scroll does not show a hole. */
const SPARE = 8;
const ROW_PX = 48;

export class VirtualList<T extends { readonly id: string }, R extends VirtualRow<T>> {
  readonly #options: VirtualListOptions<T, R>;
  readonly #rows = new Map<string, R>();
  #items: readonly T[] = [];
  #rowPx = ROW_PX;

  constructor(signal: AbortSignal, options: VirtualListOptions<T, R>) {
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

  row(id: string | null): R | undefined {
    return id === null ? undefined : this.#rows.get(id);
  }

  /** The row that contains an element. */
  rowAt(node: EventTarget | null): R | undefined {
    return [...this.#rows.values()].find(({ element }) => element.contains(node as Node | null));
  }

  /** The items between the edges of the viewport. */
  get visible(): readonly T[] {
    return this.#items.slice(...this.#range(0));
  }

  show(items: readonly T[]): void {
    this.#items = items;
    this.#place();
    for (const item of items) this.#rows.get(item.id)?.show(item);
  }

  /** Scrolls a row into view, so that it can take the focus. */
  reveal(index: number): R | undefined {
    const item = this.#items[index];
    if (!item) return undefined;
    const { viewport } = this.#options;
    const top = index * this.#rowPx;
    if (top < viewport.scrollTop) viewport.scrollTop = top;
    else viewport.scrollTop = Math.max(viewport.scrollTop, top + this.#rowPx - viewport.clientHeight);
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
    const { list, createRow, onVisible } = this.#options;
    this.#rowPx = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row')) || ROW_PX;
    list.style.height = `${this.#items.length * this.#rowPx}px`;
    const [first, end] = this.#range(SPARE);
    const kept = new Set<string>();
    let previous: Element | null = null;
    for (let at = first; at < end; at++) {
      const item = this.#items[at]!;
      kept.add(item.id);
      const row = this.#rows.get(item.id) ?? createRow(item);
      this.#rows.set(item.id, row);
      const { element } = row;
      element.style.top = `${at * this.#rowPx}px`;
      element.setAttribute('aria-posinset', String(at + 1));
      element.setAttribute('aria-setsize', String(this.#items.length));
      // The document has the order of the list, for screen readers and the tab key. Only elements in the wrong place are moved,
      // because a moved element loses the focus.
      const next: Element | null = previous ? previous.nextElementSibling : list.firstElementChild;
      if (next !== element) list.insertBefore(element, next);
      previous = element;
    }
    const items = new Set(this.#items.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      // A focused row stays even if it is scrolled out of view.
      if (kept.has(id) || (items.has(id) && row.element.contains(document.activeElement))) continue;
      this.#rows.delete(id);
      row.element.remove();
    }
    onVisible();
  }
}

/** The row that a key leads to; `null` if the key does not move. */
export function stepTo(key: string, at: number, count: number, pageRows: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: count - 1,
  };
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
