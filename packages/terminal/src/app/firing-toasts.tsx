// Messages about alerts that fire while the terminal is open, in the corner of every page, with an optional sound.
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { FiredAlert } from '../services/account-alerts.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { playAlertSound } from '../ui/alert-sound.ts';
import { element } from '../ui/dom/elements.ts';
import { preferences } from '../ui/preferences.ts';
import { clockOf } from '../ui/relative-time.ts';

const SHOWN_MS = 30_000;
const MOST_SHOWN = 4;

type Services = Pick<TerminalServices, 'session' | 'accountAlerts'>;

/** An API key sees firings on the alerts page only: its streams are in use. */
export function showFirings({ session, accountAlerts }: Services): void {
  if (!session.signedIn) return;
  const shown = signal<readonly FiredAlert[]>([]);
  const hide = (id: string): void => {
    shown.value = shown.peek().filter((each) => each.id !== id);
  };
  accountAlerts.subscribe(session.signal, ({ firing }) => {
    if (!firing || shown.peek().some(({ id }) => id === firing.id)) return;
    shown.value = [...shown.peek(), firing].slice(-MOST_SHOWN);
    setTimeout(() => hide(firing.id), SHOWN_MS);
    if (preferences.choices.alertSound) playAlertSound();
  });
  const Toasts = () => shown.value.map((firing) => <Toast key={firing.id} firing={firing} onHide={hide} />);
  render(<Toasts />, element('toasts', HTMLElement));
}

function Toast({ firing, onHide }: { readonly firing: FiredAlert; readonly onHide: (id: string) => void }) {
  const { id, title, note, symbol, time, late } = firing;
  return (
    <div class="toast">
      <p class="toast-title">
        <a href={symbol === null ? '/alerts/log' : pathOf('markets', symbol)}>{title}</a>
      </p>
      {note !== null && <p>{note}</p>}
      <p class="muted small">{`${clockOf(Date.parse(time))}${late ? ', noticed late' : ''}`}</p>
      <button type="button" class="quiet toast-close" aria-label="Dismiss" onClick={() => onHide(id)}>
        ×
      </button>
    </div>
  );
}
