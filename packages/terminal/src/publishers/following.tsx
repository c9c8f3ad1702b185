// Everything that the account follows, and where its messages are.
import { FollowedTable, useFollowed } from '../alerts/followed.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { RemoteSection } from '../ui/remote.tsx';

export function Following({ client }: Pick<TerminalServices, 'client'>) {
  const followed = useFollowed(client);
  return (
    <section class="signal-panel">
      <RemoteSection remote={followed}>
        {(loaded) => (
          <FollowedTable
            client={client}
            {...loaded}
            empty="You do not follow anyone yet. Press Follow on the page of a publisher or a signal."
            onUnfollowed={() => void followed.refresh()}
          />
        )}
      </RemoteSection>
      <p class="hint">
        Messages are in the{' '}
        <a class="inline-link" href="/alerts/log">
          log of the alerts
        </a>{' '}
        and go to the{' '}
        <a class="inline-link" href="/alerts/destinations">
          destinations
        </a>{' '}
        that you chose.
      </p>
    </section>
  );
}
