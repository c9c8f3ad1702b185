// Operator: which markets run, and changing to the others.
import { changeMarkets, MARKETS, VENUES_GUIDE } from '../services/change-markets.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';

export function MarketsSection({ client }: Pick<TerminalServices, 'client'>) {
  const report = useRemote(() => client.admin.markets());
  return (
    <Panel title="Running now">
      <RemoteSection remote={report}>
        {({ markets: running, fixed, failure }) => {
          const other = running === 'live' ? 'simulated' : 'live';
          const [title, text] = MARKETS[running];
          const change = `Change to ${MARKETS[other][0].toLowerCase()}`;
          const ask = (): void =>
            askToConfirm({
              title: `${change}?`,
              text: `This takes a few seconds. Streams reconnect, and open terminals reload. While ${MARKETS[running][0].toLowerCase()} do not run, their signals are not judged and their alerts do not fire.`,
              confirm: 'Change',
              tone: 'primary',
              act: () => changeMarkets(client, other).then(report.refresh),
            });
          return (
            <>
              <p>
                <b>{title}</b>: {text} {VENUES_GUIDE}
              </p>
              {failure && (
                <p class="message" data-tone="bad">
                  {failure}
                </p>
              )}
              <div class="actions">
                {fixed ? <p class="hint">{fixed}</p> : <Button onClick={ask}>{`${change}…`}</Button>}
              </div>
            </>
          );
        }}
      </RemoteSection>
    </Panel>
  );
}
