// A short start for a new account: what is simulated, where the keys are, and three things to try. It lies above the page, covers
// nothing, and never returns once it is dismissed.
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';

export interface FirstStepsProps {
  readonly services: Pick<TerminalServices, 'status'>;
  readonly onDismiss: () => void;
}

const STEPS: readonly (readonly [path: string, title: string, text: string])[] = [
  ['/alerts/new?symbol=XAUUSD', 'Set an alert on gold', 'It appears here, and on your phone if you like.'],
  ['/signals?status=closed', 'Check a closed signal', 'Open one: your browser can verify its result.'],
  ['/settings#snippets', 'Make your first API call', 'Copy one for curl, TypeScript or Python, and run it.'],
];

export function FirstSteps({ services: { status }, onDismiss }: FirstStepsProps) {
  // On a phone only the first line shows until it is opened.
  const [open, setOpen] = useState(false);
  return (
    <section class="first-steps" aria-label="First steps" data-open={open}>
      <div class="first-head line">
        <h2>First steps</h2>
        <button type="button" class="linklike first-open" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Less' : 'Three things to try'}
        </button>
        <Button onClick={onDismiss}>Dismiss</Button>
      </div>
      <div class="first-body">
        <p>
          {status.simulated.value
            ? 'Prices, headlines and the example publishers of this service are simulated: learn here without risk. '
            : 'Prices come from live feeds; the status bar says how old they are. '}
          Your API keys are in <a href="/settings#keys">Settings › API keys</a>.
        </p>
        <ol>
          {STEPS.map(([path, title, text]) => (
            <li key={path}>
              <a class="first-link" href={path}>
                {title}
              </a>
              <span class="first-text">{text}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Until it is dismissed or the session ends. */
export function showFirstSteps(
  services: Pick<TerminalServices, 'status' | 'session'>,
  host: Element,
  dismissed: () => void,
): void {
  const remove = (): void => render(null, host);
  const dismiss = (): void => {
    remove();
    dismissed();
  };
  if (services.session.signal.aborted) return;
  render(<FirstSteps services={services} onDismiss={dismiss} />, host);
  services.session.signal.addEventListener('abort', remove);
}
