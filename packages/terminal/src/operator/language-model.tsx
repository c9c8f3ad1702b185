// Operator: the requests of the day to the language model, and where its labels differ from those of the built-in model.
import type { LabelAgreement, LabelDisagreement } from '@tickwire/client';
import { Panel, type SettingsProps } from '../settings/section.tsx';
import { figure, NO_VALUE, signedFigure } from '../ui/format.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

type Label = LabelDisagreement['local_model'];

const REFRESH_MS = 15_000;

export function LanguageModel({ client }: Pick<SettingsProps, 'client'>) {
  const report = useRemote(() => client.admin.languageModel());
  return (
    <Panel title="Language model">
      <RemoteSection remote={report} everyMs={REFRESH_MS}>
        {({ model, requests_today, requests_per_day, resets_at, since, agreement, disagreements }) =>
          model === null ? (
            <p class="empty-note">No language model is configured. All news is scored by the built-in model.</p>
          ) : (
            <>
              <p class="intro">
                {`${figure(requests_today)} of ${figure(requests_per_day)} requests used today. The count resets `}
                <RelativeTime at={resets_at} />.
              </p>
              <h2 class="table-title">Agreement with the built-in model</h2>
              <Table
                caption="Agreement with the built-in model"
                columns={AGREEMENT}
                rows={agreement}
                keyOf={({ category }) => category ?? 'none'}
                empty="Nothing compared yet."
                compact
              />
              <h2 class="table-title">Latest disagreements</h2>
              <Table
                caption="Latest disagreements"
                columns={DISAGREEMENTS}
                rows={disagreements}
                keyOf={({ timestamp, text }) => `${timestamp} ${text}`}
                empty="No disagreements."
              />
              <p class="hint">
                Counted since <RelativeTime at={since} />.
              </p>
            </>
          )
        }
      </RemoteSection>
    </Panel>
  );
}

const AGREEMENT: readonly Column<LabelAgreement>[] = [
  { head: 'Category', cell: ({ category }) => category ?? 'none' },
  { head: 'Compared', cell: ({ compared }) => figure(compared), numeric: true },
  { head: 'Different', cell: ({ disagreed }) => figure(disagreed), numeric: true },
  {
    head: 'Agreement',
    cell: ({ compared, disagreed }) =>
      compared === 0 ? NO_VALUE : `${figure(Math.round((1 - disagreed / compared) * 100))}%`,
    numeric: true,
  },
];

const CHIP: Readonly<Record<Label['sentiment'], string>> = {
  bullish: 'chip good',
  neutral: 'chip',
  bearish: 'chip bad',
};

function LabelChip({ sentiment, sentiment_score, model }: Label) {
  return <span class={CHIP[sentiment]} title={model}>{`${sentiment} ${signedFigure(sentiment_score, 2)}`}</span>;
}

const DISAGREEMENTS: readonly Column<LabelDisagreement>[] = [
  { head: 'Headline', cell: ({ text }) => text },
  { head: 'Category', cell: ({ category }) => category ?? 'none' },
  { head: 'Language model', cell: ({ language_model }) => <LabelChip {...language_model} /> },
  { head: 'Built-in model', cell: ({ local_model }) => <LabelChip {...local_model} /> },
  { head: 'Time', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
];
