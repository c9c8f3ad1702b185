// A small menu over the chart, for the mouse, a finger and the keyboard.
import { make, makeButton } from '../ui/dom/elements.ts';
import type { MenuItem } from './chart-part.ts';

export class ChartMenu {
  readonly #stage: HTMLElement;
  /** Gets the focus back. */
  readonly #surface: HTMLElement;
  #open: { readonly element: HTMLElement; readonly end: AbortController } | null = null;

  constructor(surface: HTMLElement) {
    this.#surface = surface;
    this.#stage = surface.parentElement!;
  }

  /** `x`, `y`: pixels from the upper left corner of the chart. */
  open(x: number, y: number, items: readonly MenuItem[]): void {
    this.close();
    const buttons = items.map(({ text, run }) =>
      makeButton(text, { class: 'chart-menu-item', role: 'menuitem', tabindex: -1 }, () => {
        this.close();
        this.#surface.focus({ preventScroll: true });
        run();
      }),
    );
    const element = make('div', { class: 'chart-menu', role: 'menu', 'aria-label': 'Chart' }, ...buttons);
    this.#stage.append(element);
    // Inside the chart, also near its edges.
    element.style.left = `${Math.max(4, Math.min(x, this.#stage.clientWidth - element.offsetWidth - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, this.#stage.clientHeight - element.offsetHeight - 4))}px`;
    const end = new AbortController();
    this.#open = { element, end };
    const { signal } = end;
    element.addEventListener('keydown', (event) => this.#onKey(event, buttons), { signal });
    document.addEventListener(
      'pointerdown',
      ({ target }) => target instanceof Node && !element.contains(target) && this.close(),
      { signal, capture: true },
    );
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => relatedTarget instanceof Node && !element.contains(relatedTarget) && this.close(),
      { signal },
    );
    buttons[0]?.focus({ preventScroll: true });
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.end.abort();
    open?.element.remove();
  }

  #onKey(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const { key } = event;
    if (key === 'Escape' || key === 'Tab') {
      this.close();
      this.#surface.focus({ preventScroll: true });
    } else if (key === 'ArrowDown') buttons[(at + 1) % buttons.length]?.focus();
    else if (key === 'ArrowUp') buttons.at(at - 1)?.focus();
    else if (key === 'Home') buttons[0]?.focus();
    else if (key === 'End') buttons.at(-1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
