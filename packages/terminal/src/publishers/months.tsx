// The results of a publisher by month, in R and in percent of an account that risks a chosen share on each decision.
import type { PublisherDetail } from '@tickwire/client';
import { inR } from '../signals/labels.ts';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { ChoiceBar } from '../ui/button.tsx';
import { setNumber, signedFigure } from '../ui/format.ts';
import { Signed } from '../ui/signed.tsx';
import { type Column, Table } from '../ui/table.tsx';

/** Percent of the account at risk on each decision. */
export const RISKS = [0.25, 0.5, 1, 2, 5] as const;

type Month = PublisherDetail['months'][number];

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

export const MONTH_COLUMNS: readonly Column<Month>[] = [
  { head: 'Month (UTC)', cell: ({ month }) => monthName.format(Date.parse(`${month}-01T00:00:00Z`)) },
  { head: 'Decisions', cell: ({ decisions }) => decisions, numeric: true },
  { head: 'R', cell: ({ r }) => <Signed text={inR(r)} />, numeric: true },
  {
    head: 'Account',
    cell: ({ percent }) => <Signed text={`${signedFigure(percent, 2)} %`} />,
    numeric: true,
  },
];

interface Props {
  readonly record: PublisherDetail;
  readonly onRisk: (risk: number) => void;
}

export function Months({ record: { months, risk }, onRisk }: Props) {
  return (
    <SignalPanel title="By month">
      <ChoiceBar
        label="Risk of each decision"
        choices={RISKS.map((each) => [each, `${setNumber(String(each))} %`] as const)}
        value={risk}
        onChange={onRisk}
      />
      <Table
        caption="By month"
        columns={MONTH_COLUMNS}
        rows={months.toReversed()}
        keyOf={({ month }) => month}
        empty="No decision is complete yet."
        compact
      />
      <p class="hint">
        {`Account: compounded, with ${setNumber(String(risk))} % at risk on each decision. Costs beyond the spread are not included.`}
      </p>
    </SignalPanel>
  );
}
