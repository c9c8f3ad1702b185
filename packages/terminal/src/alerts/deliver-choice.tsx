// Where the firings of an alert go, besides the terminal.
import type { Alert, Destination } from '@tickwire/client';
import { Check } from '../ui/form.tsx';
import { CHANNEL, DESTINATION_STATE } from './alert-labels.ts';

interface Props {
  readonly destinations: readonly Destination[];
  readonly alert: Alert | null;
}

export function DeliverChoice({ destinations, alert }: Props) {
  const chosen = new Set(alert?.deliver.map(({ destination }) => destination));
  return (
    <fieldset class="scopes">
      <legend>Deliver to</legend>
      <p class="hint">Every firing appears in the terminal and in the log.</p>
      {destinations.map(({ id, channel, name, address, state }) => (
        <Check key={id} name="deliver" value={id} checked={chosen.has(id)}>
          <span>
            <b>{CHANNEL[channel]}</b> {name ?? address}
            {state !== 'active' && ` (${DESTINATION_STATE[state][0].toLowerCase()})`}
          </span>
        </Check>
      ))}
      <p class="hint">
        <a href="/alerts/destinations">{destinations.length === 0 ? 'Add a destination' : 'Manage destinations'}</a>
      </p>
    </fieldset>
  );
}
