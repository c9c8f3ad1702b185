// The public track record of one publisher: its status and figures as the service states them, and the checks of this browser.
import type { PublicSignal, PublisherDetail } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { equityOf } from '../publishers/equity.ts';
import { EquityChart } from '../publishers/equity-chart.tsx';
import { Counts, Figures } from '../publishers/record-figures.tsx';
import { StatusLabels } from '../publishers/standing.tsx';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { Button } from '../ui/button.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { dateText } from '../ui/relative-time.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { publicApi } from './public-api.ts';
import { Badge, ByInstrument, ByMonth, SignalTables, Status } from './record-panels.tsx';

export function RecordPage({ name }: { readonly name: string }) {
  const [record, setRecord] = useState<PublisherDetail | null>(null);
  const [simulated, setSimulated] = useState(false);
  const [loaded, setLoaded] = useState<readonly PublicSignal[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  useAbortEffect(
    (end) => {
      setFailure(null);
      publicApi(name, end)
        .publisher()
        .then(
          ({ record: current, simulated: isSimulated }) => {
            document.getElementById('simulated')!.hidden = !isSimulated;
            setSimulated(isSimulated);
            setRecord(current);
          },
          () => !end.aborted && setFailure('The track record could not be loaded.'),
        );
    },
    [tries],
  );
  if (!record)
    return (
      <div class="signal-body">
        {failure === null ? (
          <p class="empty-note">Loading…</p>
        ) : (
          <div class="sorry">
            <p>{failure}</p>
            <Button onClick={() => setTries(tries + 1)}>Try again</Button>
          </div>
        )}
      </div>
    );
  return (
    <div class="signal-body">
      <header class="signal-head line">
        <div>
          <h1>{record.name}</h1>
          <p class="hint">
            {record.first_at === null
              ? 'Track record'
              : `Track record of all signals since ${dateText(Date.parse(record.first_at))}`}
          </p>
        </div>
        <StatusLabels of={record} />
      </header>
      <Status record={record} simulated={simulated} />
      <ChecksPanel name={name} record={record} onRecord={setRecord} onLoaded={setLoaded} />
      <SignalPanel title="Equity curve">
        <EquityChart {...equityOf(record)} />
      </SignalPanel>
      <div class="signal-columns">
        <Figures record={record} />
        <Counts record={record} />
      </div>
      <ByMonth record={record} />
      <ByInstrument record={record} />
      <SignalTables signals={loaded} />
      <Badge record={record} />
    </div>
  );
}
