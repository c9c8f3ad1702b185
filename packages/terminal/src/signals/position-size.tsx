// How many lots a follower may trade, so that the stop costs a chosen share of the account. Balance, currency and risk are
// remembered in this browser.
import { useSignal } from '@preact/signals';
import type { CoreClient, PositionSize } from '@tickwire/client';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { PlacedSize, SizedLevels } from '../services/placed-forms.ts';
import { explain } from '../ui/failure.ts';
import { figure, setNumber } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { readPositive } from '../ui/read-number.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import { Facts } from '../ui/table.tsx';
import { SignalPanel } from './signal-parts.tsx';

interface Props extends SizedLevels {
  readonly client: CoreClient;
}

/** Beside a chart. */
export function showPositionSize(client: CoreClient, into: HTMLElement): PlacedSize {
  return {
    show: (levels) => render(<PositionSizePanel client={client} {...levels} />, into),
    remove: () => render(null, into),
  };
}

const STORED = 'tickwire.position-size';
/** After the last key. */
const SETTLE_MS = 400;

const INPUTS = [
  ['balance', 'Balance', '10000'],
  ['currency', 'Currency', 'USD'],
  ['risk', 'Risk in %', '1'],
] as const;
type Input = (typeof INPUTS)[number][0];
type Account = Readonly<Record<Input, string>>;

function storedAccount(): Account {
  const stored = readRecord(localStorage, STORED);
  const text = (name: Input, byDefault: string): string =>
    typeof stored[name] === 'string' ? (stored[name] as string).slice(0, 20) : byDefault;
  return { balance: text('balance', ''), currency: text('currency', 'USD'), risk: text('risk', '1') };
}

export function PositionSizePanel({ client, symbol, entry, stop }: Props) {
  const [account, setAccount] = useState(storedAccount);
  const size = useSignal<PositionSize | null>(null);
  const note = useSignal('');
  const set = (name: Input, value: string): void => {
    const next = { ...account, [name]: value };
    setAccount(next);
    storeRecord(localStorage, STORED, next);
  };
  const { balance, currency, risk } = account;
  useAbortEffect(
    (end) => {
      const [amount, percent, code] = [readPositive(balance), readPositive(risk), currency.trim().toUpperCase()];
      size.value = null;
      note.value =
        amount === null
          ? 'Enter the balance of your account.'
          : percent === null || percent > 100
            ? 'The risk must be above 0 and at most 100 %.'
            : !/^[A-Z]{3,5}$/.test(code)
              ? 'The currency must be a code such as USD.'
              : entry === null || stop === null || entry === stop
                ? 'Enter entry and stop.'
                : '';
      if (note.value !== '') return;
      const options = {
        symbol,
        entry: entry!,
        stop_loss: stop!,
        balance: amount!,
        currency: code,
        risk_percent: percent!,
      };
      const load = async (): Promise<void> => {
        try {
          size.value = await client.positionSize(options, { signal: end });
        } catch (error) {
          if (!end.aborted) note.value = explain(error).general;
        }
      };
      const timer = setTimeout(() => void load(), SETTLE_MS);
      end.addEventListener('abort', () => clearTimeout(timer));
    },
    [symbol, entry, stop, balance, currency, risk],
  );
  return (
    <SignalPanel title="Position size">
      <div class="size-inputs">
        {INPUTS.map(([name, label, placeholder]) => (
          <label key={name} class="control size-input">
            <span>{label}</span>
            <input
              class="mono"
              inputMode={name === 'currency' ? 'text' : 'decimal'}
              autocomplete="off"
              spellcheck={false}
              placeholder={placeholder}
              value={account[name]}
              onInput={({ currentTarget }) => set(name, currentTarget.value)}
            />
          </label>
        ))}
      </div>
      <div aria-live="polite">
        {size.value && <Facts entries={sizeFacts(size.value)} />}
        <p class="hint">{note.value}</p>
      </div>
      <p class="hint">
        From entry to stop, at current exchange rates. A gap can cost more. Stored only in this browser.
      </p>
    </SignalPanel>
  );
}

function sizeFacts(size: PositionSize) {
  const { lots, units, risk, risk_percent, loss_per_lot, currency, limited_by } = size;
  const money = (value: number): string => `${setNumber(value.toFixed(2))} ${currency}`;
  return [
    ['Lots', <b key="lots">{setNumber(String(lots))}</b>],
    ['Units', figure(units)],
    ['Loss at the stop', `${money(risk)} (${setNumber(risk_percent.toFixed(2))} %)`],
    ['Loss of one lot', money(loss_per_lot)],
    ...(limited_by === null
      ? []
      : [
          [
            'Limit',
            limited_by === 'min_lot' ? 'the smallest lot would already risk more' : 'the largest lot of the instrument',
          ] as const,
        ]),
  ] as const;
}
