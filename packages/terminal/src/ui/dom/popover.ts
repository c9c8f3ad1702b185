// A panel below a button, such as a choice of indicators. It closes on Escape, on a click elsewhere and when the focus leaves it,
// and then gives the focus back to its button.
import { make } from './elements.ts';

export interface Popover {
  readonly element: HTMLElement;
  close(): void;
}

export interface PopoverOptions {
  /** Its accessible name. */
  readonly label: string;
  readonly role?: 'dialog' | 'menu' | 'listbox';
  readonly className?: string;
  readonly onClose?: () => void;
}

const MARGIN = 4;
let open: { readonly button: HTMLElement; readonly popover: Popover } | null = null;

/**
 * Opens a panel at a button, or closes it if it is open. The first field or button inside gets the focus. If the button is in an open
 * panel, the new one takes the place of that panel.
 */
export function togglePopover(
  opener: HTMLElement,
  content: (close: () => void) => Node,
  { label, role = 'dialog', className = '', onClose }: PopoverOptions,
): Popover | null {
  const previous = open;
  const button = previous?.popover.element.contains(opener) ? previous.button : opener;
  previous?.popover.close();
  // The code of a panel may be loaded first: its button may be gone by then.
  if (previous?.button === opener || !button.isConnected) return null;
  const end = new AbortController();
  const close = (): void => {
    if (end.signal.aborted) return;
    end.abort();
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    button.setAttribute('aria-expanded', 'false');
    if (open?.popover === popover) open = null;
    if (hadFocus) button.focus({ preventScroll: true });
    onClose?.();
  };
  const element = make('div', { class: `popover ${className}`, role, 'aria-label': label }, content(close));
  const popover: Popover = { element, close };
  open = { button, popover };
  button.setAttribute('aria-expanded', 'true');
  document.body.append(element);
  place(element, button);
  const { signal } = end;
  closeOutside([element, button], signal, close);
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
      button.focus({ preventScroll: true });
    },
    { signal },
  );
  addEventListener('resize', close, { signal });
  element.querySelector<HTMLElement>('input, select, button, [tabindex="0"]')?.focus({ preventScroll: true });
  return popover;
}

/** Closes the first element when the pointer goes down outside all of them, or the focus leaves for another place. */
export function closeOutside(
  inside: readonly [HTMLElement, ...HTMLElement[]],
  signal: AbortSignal,
  close: () => void,
): void {
  const closeFor = (target: EventTarget | null): void => {
    if (target instanceof Node && !inside.some((each) => each.contains(target))) close();
  };
  document.addEventListener('pointerdown', ({ target }) => closeFor(target), { signal, capture: true });
  inside[0].addEventListener('focusout', ({ relatedTarget }) => closeFor(relatedTarget), { signal });
}

/** Below the button and inside the window. */
function place(element: HTMLElement, button: HTMLElement): void {
  const { left, bottom, top } = button.getBoundingClientRect();
  const most = innerWidth - element.offsetWidth - MARGIN;
  element.style.left = `${Math.max(MARGIN, Math.min(left, most))}px`;
  const below = innerHeight - bottom - 2 * MARGIN;
  const above = top - 2 * MARGIN;
  const upwards = element.offsetHeight > below && above > below;
  element.style.maxHeight = `${Math.max(120, upwards ? above : below)}px`;
  element.style.top = `${upwards ? Math.max(MARGIN, top - element.offsetHeight - MARGIN) : bottom + MARGIN}px`;
}
