// Operator: the AI models, the AI calls used today, the language model, how often the market moved as the scores said, and how well the
// label probabilities are calibrated.
import type { AiModel, NewsLabelCalibration } from '@tickwire/client';
import { Calibration } from '../news/calibration-panel.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { figure } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { LanguageModel } from './language-model.tsx';

const REFRESH_MS = 15_000;

export function Models({ client }: Pick<TerminalServices, 'client'>) {
  const models = useRemote(async () => {
    const [{ items }, { ai_calls }] = await Promise.all([client.aiModels(), client.usage()]);
    return { items, ai_calls };
  });
  const calibration = useRemote(() => client.newsCalibration());
  return (
    <>
      <Panel title="Models">
        <RemoteSection remote={models} everyMs={REFRESH_MS}>
          {({ items, ai_calls: { used, limit, resets_at } }) => (
            <>
              <Table caption="Models" columns={COLUMNS} rows={items} keyOf={({ id }) => id} empty="No models." />
              <p class="intro">
                {`You have used ${figure(used)} of ${figure(limit)} AI calls today. The count resets `}
                <RelativeTime at={resets_at} />.
              </p>
            </>
          )}
        </RemoteSection>
      </Panel>
      <LanguageModel client={client} />
      <Panel title="Sentiment accuracy">
        <RemoteSection remote={calibration} everyMs={REFRESH_MS}>
          {(loaded) => <Calibration calibration={loaded} categories={[]} withModel />}
        </RemoteSection>
      </Panel>
      <Panel title="Label probabilities">
        <RemoteSection remote={calibration}>
          {({ labels }) => (
            <>
              <Table
                caption="Label probabilities"
                columns={LABELS}
                rows={labels}
                keyOf={({ category }) => category}
                empty="No labelled headlines."
              />
              <p class="hint">
                Of the built-in model, measured on labelled headlines that it was not trained on. The calibration error
                is the difference between the confidence of a label and how often it is right.
              </p>
            </>
          )}
        </RemoteSection>
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<AiModel>[] = [
  {
    head: 'Model',
    cell: ({ id, default: used }) => (
      <span class="chips">
        <span class="key-name">{id}</span>
        {used && <span class="chip good">in use</span>}
      </span>
    ),
  },
  { head: 'Kind', cell: ({ kind }) => (kind === 'local' ? 'built in' : 'your language model') },
  { head: 'Task', cell: ({ tasks }) => tasks.join(', ') },
  { head: 'Version', cell: ({ version }) => <code>{version}</code> },
  {
    head: 'State',
    cell: ({ available }) => (
      <span class={available ? 'chip good' : 'chip bad'}>{available ? 'Ready' : 'Unavailable'}</span>
    ),
  },
];

const share = (fraction: number): string => `${figure(Math.round(fraction * 1_000) / 10)}%`;

const LABELS: readonly Column<NewsLabelCalibration>[] = [
  { head: 'Category', cell: ({ category }) => category },
  { head: 'Headlines', cell: ({ measured_on }) => figure(measured_on), numeric: true },
  { head: 'Right', cell: ({ accuracy }) => share(accuracy), numeric: true },
  { head: 'Calibration error', cell: ({ expected_error }) => share(expected_error), numeric: true },
  { head: 'Undecided below', cell: ({ least_confidence }) => share(least_confidence), numeric: true },
];
