// A small menu over the chart, for the mouse, a finger and the keyboard.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { closeOutside } from '../../ui/dom/popover.ts';
import { moveFocus } from './chart-buttons.ts';
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
      makeButton(text, { class: 'chart-menu-item bare', role: 'menuitem', tabindex: -1 }, () => {
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
    closeOutside([element], signal, () => this.close());
    buttons[0]?.focus({ preventScroll: true });
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.end.abort();
    open?.element.remove();
  }

  #onKey(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
    const leaves = event.key === 'Escape' || event.key === 'Tab';
    if (leaves) {
      this.close();
      this.#surface.focus({ preventScroll: true });
    }
    if (!leaves && !moveFocus(event, buttons)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
