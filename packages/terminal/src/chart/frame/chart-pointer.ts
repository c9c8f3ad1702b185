// The pointer on the chart: a part may take a press, to drag something; otherwise a right click or a long press opens a menu with
// what the parts offer there, and everything else scrolls the chart.
import { ChartMenu } from './chart-menu.ts';
import type { ChartPart, ChartPoint, MenuItem } from './chart-part.ts';

export interface ChartPointerOptions {
  readonly surface: HTMLElement;
  readonly signal: AbortSignal;
  readonly pointAt: (x: number, y: number) => ChartPoint | null;
  readonly parts: () => readonly ChartPart[];
}

const LONG_PRESS_MS = 600;
/** A finger is never quite still. Pixels. */
const STILL = 8;

interface Place {
  readonly clientX: number;
  readonly clientY: number;
}

/** Asks the parts whose lines lie above the others first. */
export const takesPress = (
  parts: readonly Pick<ChartPart, 'press' | 'onTop'>[],
  point: ChartPoint,
  event: MouseEvent | TouchEvent,
): boolean =>
  [...parts.filter(({ onTop }) => onTop), ...parts.filter(({ onTop }) => !onTop)].some((part) =>
    part.press?.(point, event),
  );

export class ChartPointer {
  readonly #options: ChartPointerOptions;
  readonly #menu: ChartMenu;
  #longPress: { readonly timer: ReturnType<typeof setTimeout>; readonly at: Place } | null = null;

  constructor(options: ChartPointerOptions) {
    this.#options = options;
    const { surface, signal } = options;
    this.#menu = new ChartMenu(surface);
    // Before the library gets the event: dragging something must not scroll the chart.
    const early = { signal, capture: true } as const;
    surface.addEventListener('mousedown', (event) => event.button === 0 && this.#press(event, event), early);
    surface.addEventListener('touchstart', (event) => this.#touch(event), { ...early, passive: false });
    surface.addEventListener('contextmenu', (event) => this.#onContextMenu(event), early);
    window.addEventListener('touchmove', ({ touches: [touch] }) => touch && this.#onTouchMove(touch), {
      signal,
      passive: true,
    });
    for (const type of ['touchend', 'touchcancel'])
      window.addEventListener(type, () => this.#cancelLongPress(), { signal });
    signal.addEventListener('abort', () => this.closeMenu());
  }

  /** Opens the menu at a point, by keyboard. */
  openMenu(point: ChartPoint): void {
    // Alerts are asked for most and belong to one of the last parts.
    const parts = this.#options.parts().toReversed();
    const items = parts.flatMap((part): readonly MenuItem[] => part.menu?.(point) ?? []);
    if (items.length > 0) this.#menu.open(point.x, point.y, items);
  }

  closeMenu(): void {
    this.#menu.close();
  }

  #onContextMenu(event: MouseEvent): void {
    const point = this.#pointAt(event);
    if (!point) return;
    event.preventDefault();
    this.#cancelLongPress();
    this.openMenu(point);
  }

  #touch(event: TouchEvent): void {
    this.#cancelLongPress();
    const [touch, second] = event.touches;
    if (!touch || second || this.#press(event, touch)) return;
    const timer = setTimeout(() => {
      this.#longPress = null;
      const point = this.#pointAt(touch);
      if (point) this.openMenu(point);
    }, LONG_PRESS_MS);
    this.#longPress = { timer, at: { clientX: touch.clientX, clientY: touch.clientY } };
  }

  #press(event: MouseEvent | TouchEvent, at: Place): boolean {
    const point = this.#pointAt(at);
    if (!point || !takesPress(this.#options.parts(), point, event)) return false;
    event.preventDefault();
    event.stopPropagation();
    this.#options.surface.focus({ preventScroll: true });
    return true;
  }

  #onTouchMove({ clientX, clientY }: Place): void {
    const { at } = this.#longPress ?? {};
    if (at && Math.hypot(clientX - at.clientX, clientY - at.clientY) > STILL) this.#cancelLongPress();
  }

  #cancelLongPress(): void {
    clearTimeout(this.#longPress?.timer);
    this.#longPress = null;
  }

  #pointAt({ clientX, clientY }: Place): ChartPoint | null {
    const { left, top } = this.#options.surface.getBoundingClientRect();
    return this.#options.pointAt(clientX - left, clientY - top);
  }
}
