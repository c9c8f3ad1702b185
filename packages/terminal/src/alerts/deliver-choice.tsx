// Where the firings of an alert go, besides the terminal.
import type { Destination } from '@tickwire/client';
import { GuideLink } from '../ui/button.tsx';
import { Check } from '../ui/form.tsx';
import { CHANNEL, DESTINATION_STATE } from './alert-labels.ts';

interface Props {
  readonly destinations: readonly Destination[];
  /** Ids of the destinations that are chosen at first. */
  readonly chosen: ReadonlySet<string | null>;
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

export function DeliverChoice({ destinations, chosen }: Props) {
  return (
    <fieldset class="scopes">
      <legend>Deliver to</legend>
      <p class="hint">
        Every firing appears in the terminal and in the log.{' '}
        <GuideLink href="/guide/alerts#channels">Channels</GuideLink>
      </p>
      <DestinationChecks destinations={destinations} isChecked={({ id }) => chosen.has(id)} />
      <p class="hint">
        <a href="/alerts/destinations">{destinations.length === 0 ? 'Add a destination' : 'Manage destinations'}</a>
      </p>
    </fieldset>
  );
}
