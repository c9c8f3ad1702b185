// Buttons whose panels are not part of the first load.
import type { ChartHost } from './chart-part.ts';
import type * as LaterParts from './later-parts.ts';

/** Makes a button open a panel, the code of which is loaded when the button is pressed. */
export function opensLater(
  button: HTMLButtonElement,
  { services }: Pick<ChartHost, 'services'>,
  role: 'dialog' | 'menu',
  open: (parts: typeof LaterParts) => void,
): void {
  button.setAttribute('aria-haspopup', role);
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => {
    void import('./later-parts.ts').then(open, (error: unknown) =>
      services.notifier.reportError(error, button.title || button.textContent),
    );
  });
}
