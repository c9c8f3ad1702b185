// Buttons whose panels are not part of the first load.
import type { ChartHost } from './frame/chart-part.ts';
import type * as LazyParts from './lazy-parts.ts';

/** Makes a button open a panel, the code of which is loaded when the button is pressed. */
export function lazyPanel(
  button: HTMLButtonElement,
  { services }: Pick<ChartHost, 'services'>,
  role: 'dialog' | 'menu',
  open: (parts: typeof LazyParts) => void,
): void {
  button.setAttribute('aria-haspopup', role);
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => {
    void import('./lazy-parts.ts').then(open, (error: unknown) =>
      services.notifier.reportError(error, button.title || button.textContent),
    );
  });
}
