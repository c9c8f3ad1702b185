// The parts of a public track record.

import type { PublicSignal, PublisherDetail } from '@tickwire/client';
import { plural } from '@tickwire/contract/plural.ts';
import { otherMissingTexts, progressFacts, TIME_WAIVED } from '../publishers/figures.ts';
import { MONTH_COLUMNS } from '../publishers/months.tsx';
import { RESULT_COLUMNS } from '../publishers/record-figures.tsx';
import { EVIDENCE_EXPLAINED } from '../publishers/standing.tsx';
import { inR, REASONS } from '../signals/labels.ts';
import { DirectionLabel, SignalPanel } from '../signals/signal-parts.tsx';
import { CopyLine } from '../ui/copied-text.tsx';
import { NO_VALUE } from '../ui/format.ts';
import { Signed } from '../ui/signed.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { historyOf, type SignalHistory } from './history.ts';

const MOST_ROWS = 10;

interface OfRecord {
  readonly record: PublisherDetail;
}

/** The status with its reason, the evidence in plain words, and the warnings. */
export function Status({ record, simulated }: OfRecord & { readonly simulated: boolean }) {
  const missing = otherMissingTexts(record);
  const { status, rank, reason, decisions, e_value, warnings, voided } = record;
  return (
    <SignalPanel title="Status">
      <p class="lead">
        <b>{rank === null ? status.replace(/^./, (letter) => letter.toUpperCase()) : `Ranked ${rank}`}</b>
        {`. ${reason}`}
      </p>
      <p>
        {`${plural(decisions, 'decision')}, evidence ${e_value} (1 = none): what 1 would have become since the trial if
        fixed shares of it had been bet on each decision. Losses lower it, and open losses count now. ${EVIDENCE_EXPLAINED}`}
      </p>
      <Facts entries={progressFacts(record, simulated)} />
      {simulated && <p>{TIME_WAIVED}</p>}
      {missing.length > 0 && <p>{`Also missing for a rank: ${missing.join(', ')}.`}</p>}
      {warnings.length > 0 && (
        <ul class="cautions" aria-label="Warnings">
          {warnings.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      )}
      <p class="hint">
        {voided === 0
          ? 'The operator has voided no signal of this publisher.'
          : `The operator has voided ${plural(voided, 'signal')} of this publisher. ${voided === 1 ? 'The reason is' : 'The reasons are'} below.`}
      </p>
    </SignalPanel>
  );
}

export const ByMonth = ({ record }: OfRecord) => (
  <SignalPanel title="By month">
    <Table
      caption="By month"
      columns={MONTH_COLUMNS}
      rows={record.months.toReversed()}
      keyOf={({ month }) => month}
      empty="No decision is complete yet."
      compact
    />
    <p class="hint">{`Account: an account that risks ${record.risk} % on each decision, compounded.`}</p>
  </SignalPanel>
);

const INSTRUMENT_COLUMNS: readonly Column<PublisherDetail['instruments'][number]>[] = [
  { head: 'Instrument', cell: ({ symbol }) => symbol },
  ...RESULT_COLUMNS,
];

export const ByInstrument = ({ record }: OfRecord) => (
  <SignalPanel title="By instrument">
    <Table
      caption="By instrument"
      columns={INSTRUMENT_COLUMNS}
      rows={record.instruments}
      keyOf={({ symbol }) => symbol}
      empty="None yet."
    />
  </SignalPanel>
);

const reasonOf = ({ voided, closed }: SignalHistory): string =>
  voided ? `${REASONS.voided}: ${voided.reason}` : REASONS[closed!.reason];

const CLOSED_COLUMNS: readonly Column<SignalHistory>[] = [
  {
    head: 'Signal',
    cell: ({ published: { direction, symbol } }) => (
      <span>
        <DirectionLabel of={direction} /> {symbol}
      </span>
    ),
  },
  { head: 'Published', cell: ({ published }) => <RelativeTime at={published.at} /> },
  { head: 'Closed', cell: ({ closed, voided }) => <RelativeTime at={closed?.closed_at ?? voided!.at} /> },
  { head: 'Outcome', cell: reasonOf },
  {
    head: 'R',
    cell: ({ closed, voided }) =>
      voided || closed!.reason === 'unfilled' ? NO_VALUE : <Signed text={inR(closed!.pnl_r)} />,
    numeric: true,
  },
];

export interface SignalTablesProps {
  /** Newest publication first; `null` until they are loaded. */
  readonly signals: readonly PublicSignal[] | null;
}

/** The newest closed signals, and the newest that the operator has voided. */
export function SignalTables({ signals }: SignalTablesProps) {
  if (signals === null) return null;
  // A malformed signal is reported by the checks.
  const isPublished = ({ records }: PublicSignal): boolean =>
    records.filter(({ record }) => record.type === 'published').length === 1;
  const histories = signals.filter(isPublished).map(historyOf);
  const voided = histories.filter((history) => history.voided);
  return (
    <>
      <SignalTable
        title="Newest closed signals"
        rows={histories.filter(({ closed, voided: isVoid }) => closed && !isVoid)}
      />
      {voided.length > 0 && <SignalTable title="Voided signals" rows={voided} />}
    </>
  );
}

const SignalTable = ({ title, rows }: { readonly title: string; readonly rows: readonly SignalHistory[] }) => (
  <SignalPanel title={title}>
    <Table
      caption={title}
      columns={CLOSED_COLUMNS}
      rows={rows.slice(0, MOST_ROWS)}
      keyOf={({ published }) => published.signal}
      empty="No signal has closed yet."
    />
    {rows.length > MOST_ROWS && <p class="hint">{`The newest ${MOST_ROWS} of ${rows.length}.`}</p>}
  </SignalPanel>
);

/** The badge, and the code that embeds it in another page. */
export function Badge({ record }: OfRecord) {
  const page = `${location.origin}/p/${encodeURIComponent(record.publisher)}`;
  const code = `<a href="${page}"><img src="${page}/badge.svg" alt="Track record"></a>`;
  return (
    <SignalPanel title="Badge">
      <p>
        <img src={`/p/${encodeURIComponent(record.publisher)}/badge.svg`} alt={`Badge of ${record.name}`} height={22} />
      </p>
      <CopyLine text={code} />
    </SignalPanel>
  );
}
