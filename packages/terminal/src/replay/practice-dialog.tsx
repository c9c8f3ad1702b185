// The results of the practice signals of a replay: the equity curve in R, figures, and a list with a button that closes an open one.
// Below are the records that the account has saved, of this replay and of others.
import type { PracticeRecord, SavedPractice, Signal } from '@tickwire/client';
import { useEffect } from 'preact/hooks';
import { equityOf } from '../publishers/equity.ts';
import { EquityChart } from '../publishers/equity-chart.tsx';
import { maxDrawdown, twoDecimals, winRate } from '../publishers/figures.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { digitsOf, hasResult, inR, REASONS } from '../signals/labels.ts';
import { DirectionLabel } from '../signals/signal-parts.tsx';
import { Button } from '../ui/button.tsx';
import { DIALOG_TITLE, openDialog } from '../ui/dialog.tsx';
import { NO_VALUE, price } from '../ui/format.ts';
import { clockOf, dateText } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Signed } from '../ui/signed.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { PRACTICE, type Practice } from './practice.ts';

const MOST = 500;

export interface PracticeProps {
  readonly practice: Practice;
  /** Of the replay. */
  readonly services: Pick<TerminalServices, 'client' | 'notifier' | 'quotes'>;
}

export function openPracticeDialog(props: PracticeProps): void {
  openDialog((close) => <PracticeDialog {...props} close={close} />, 'dialog practice');
}

function PracticeDialog({ practice, services, close }: PracticeProps & { readonly close: () => void }) {
  const { client, notifier, quotes } = services;
  const record = practice.record.value;
  const signalsOf = async (signal?: AbortSignal): Promise<readonly Signal[]> =>
    (await client.signals({ status: 'all', user: PRACTICE, limit: MOST }, signal && { signal })).items;
  useEffect(() => void practice.refresh(), []);
  // The record follows the clock, and the list follows the record.
  const remote = useRemote(signalsOf, [practice.changes]);
  const saved = useRemote((signal) => practice.savedRecords(signal));
  const change = async (work: Promise<unknown>, done: string): Promise<void> => {
    try {
      await work;
      await saved.refresh();
      notifier.show(done);
    } catch (error) {
      notifier.reportError(error, 'Practice');
    }
  };
  const saveToAccount = (): void => void change(practice.save(), 'Saved to your account.');
  const saveAsFile = async (): Promise<void> => {
    await practice.refresh();
    await practice.saveBy(async (newest) => saveRecord(newest, await signalsOf()));
  };
  const savedColumns: readonly Column<SavedPractice>[] = [
    { head: 'Name', cell: ({ name }) => name },
    { head: 'Signals', cell: (each) => each.record.figures.signals, numeric: true },
    { head: 'Total', cell: (each) => <Signed text={inR(each.record.figures.total_r)} />, numeric: true },
    {
      head: '',
      cell: ({ id, name }) => (
        <Button onClick={() => void change(practice.deleteSaved(id), `${name} was deleted.`)}>Delete</Button>
      ),
    },
  ];
  const closeSignal = (id: string): void => {
    client.closeSignal(id).then(
      () => notifier.show('The signal closes at the next price.'),
      (error: unknown) => notifier.reportError(error, 'Practice'),
    );
  };
  const columns: readonly Column<Signal>[] = [
    {
      head: 'Published',
      cell: ({ timestamp }) => `${dateText(Date.parse(timestamp))}, ${clockOf(Date.parse(timestamp))}`,
    },
    {
      head: 'Signal',
      cell: ({ direction, symbol }) => (
        <>
          <DirectionLabel of={direction} /> {symbol}
        </>
      ),
    },
    { head: 'Entry', cell: (each) => price(each.entry, digitsOf(each, quotes)), numeric: true },
    { head: 'State', cell: (each) => (each.status === 'closed' ? REASONS[each.close_reason] : 'Active') },
    {
      head: 'Result',
      cell: (each) => (hasResult(each) ? <Signed text={inR(each.pnl_r)} /> : NO_VALUE),
      numeric: true,
    },
    {
      head: '',
      cell: ({ id, status }) => status === 'active' && <Button onClick={() => closeSignal(id)}>Close</Button>,
    },
  ];
  return (
    <>
      <h2 id={DIALOG_TITLE}>Practice record</h2>
      <RemoteSection remote={remote}>
        {(signals) => (
          <>
            {record && record.figures.signals > 0 && <Results record={record} />}
            <Table
              caption="Practice signals"
              columns={columns}
              rows={signals}
              keyOf={({ id }) => id}
              empty="No practice signal yet. Publish one with Practice above the chart."
              compact
            />
            {record && signals.length > 0 && (
              <p class="hint">
                These results are in no log and no ranking, and end with the replay unless you save them.
              </p>
            )}
            <div class="actions">
              <Button tone="primary" onClick={close}>
                Back to the chart
              </Button>
              {record && signals.length > 0 && (
                <>
                  <Button onClick={saveToAccount}>Save to your account</Button>
                  <Button onClick={() => void change(saveAsFile(), 'Saved as a file.')}>Save as file</Button>
                </>
              )}
            </div>
          </>
        )}
      </RemoteSection>
      <RemoteSection remote={saved}>
        {({ items }) =>
          items.length > 0 && (
            <Table
              caption="Saved records"
              columns={savedColumns}
              rows={items}
              keyOf={({ id }) => id}
              empty="No saved record."
              compact
            />
          )
        }
      </RemoteSection>
    </>
  );
}

function Results({ record }: { readonly record: PracticeRecord }) {
  const { equity, equity_now, open_r, drawdown_r, figures } = record;
  const { wins, losses, breakeven, profit_factor, total_r } = figures;
  return (
    <>
      <EquityChart {...equityOf({ equity, equity_now, first_at: figures.first_at })} />
      <Facts
        entries={[
          ['Total', <Signed key="total" text={inR(total_r)} />],
          ['Open signals now', <Signed key="open" text={inR(open_r)} />],
          ['Win rate, 95 % interval', winRate(figures)],
          ['With a result', `${wins} won, ${losses} lost, ${breakeven} breakeven`],
          ['Profit factor', profit_factor === null ? NO_VALUE : twoDecimals(profit_factor)],
          ['Max drawdown', maxDrawdown({ ...figures, drawdown_r })],
        ]}
      />
    </>
  );
}

function saveRecord(record: PracticeRecord, signals: readonly Signal[]): void {
  const text = JSON.stringify({ record, signals }, null, 2);
  saveFile(`practice-${record.from.slice(0, 10)}.json`, new Blob([text], { type: 'application/json' }));
}
