// Where the firings of an alert go, besides the terminal.
import type { Alert, Destination } from '@tickwire/client';
import { Check } from '../ui/form.tsx';
import { CHANNEL, DESTINATION_STATE } from './alert-labels.ts';

interface Props {
  readonly destinations: readonly Destination[];
  readonly alert: Alert | null;
}

/** A checkbox for each destination. */
export const DestinationChecks = ({ destinations, isChecked }: ChecksProps) =>
  destinations.map((each) => (
    <Check key={each.id} name="deliver" value={each.id} checked={isChecked(each)}>
      <span>
        <b>{CHANNEL[each.channel]}</b> {each.name ?? each.address}
        {each.state !== 'active' && ` (${DESTINATION_STATE[each.state][0].toLowerCase()})`}
      </span>
    </Check>
  ));

interface ChecksProps {
  readonly destinations: readonly Destination[];
  readonly isChecked: (destination: Destination) => boolean;
}

export function DeliverChoice({ destinations, alert }: Props) {
  const chosen = new Set(alert?.deliver.map(({ destination }) => destination));
  return (
    <fieldset class="scopes">
      <legend>Deliver to</legend>
      <p class="hint">Every firing appears in the terminal and in the log.</p>
      <DestinationChecks destinations={destinations} isChecked={({ id }) => chosen.has(id)} />
      <p class="hint">
        <a href="/alerts/destinations">{destinations.length === 0 ? 'Add a destination' : 'Manage destinations'}</a>
      </p>
    </fieldset>
  );
}
