// Operator: the requests of the day to the language model.
import type { TerminalServices } from '../services/terminal-services.ts';
import { GuideLink } from '../ui/button.tsx';
import { figure } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { RelativeTime } from '../ui/time.tsx';

const REFRESH_MS = 15_000;

export function LanguageModel({ client }: Pick<TerminalServices, 'client'>) {
  const report = useRemote(() => client.admin.languageModel());
  return (
    <Panel title="Language model">
      <RemoteSection remote={report} everyMs={REFRESH_MS}>
        {({ model, requests_today, requests_per_day, resets_at }) =>
          model === null ? (
            <p class="empty-note">
              No language model is configured. All news is scored by the built-in model.{' '}
              <GuideLink href="/guide/reference/news#language-models">Language models</GuideLink>
            </p>
          ) : (
            <p class="intro">
              {`${figure(requests_today)} of ${figure(requests_per_day)} requests used today. The count resets `}
              <RelativeTime at={resets_at} />.
            </p>
          )
        }
      </RemoteSection>
    </Panel>
  );
}
