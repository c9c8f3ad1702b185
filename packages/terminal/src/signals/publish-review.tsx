// The last step before publication: exactly what the log will record, and what to expect at the current price.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { Instrument, SignalRequest } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/failure.ts';
import { price } from '../ui/format.ts';
import { exactly } from '../ui/relative-time.ts';
import { Facts } from '../ui/table.tsx';
import { partText } from './labels.ts';
import { PREVIEW } from './publish-preview.ts';
import { DirectionLabel } from './signal-parts.tsx';
import type { TicketCheck } from './ticket.ts';

interface Props {
  readonly request: SignalRequest;
  /** As the market would take it now. */
  readonly order: ReadonlySignal<TicketCheck['order']>;
  /** `null` if an API key publishes. */
  readonly publisher: string | null;
  readonly instrument: Instrument | undefined;
  readonly digits: number;
  /** The values of the preview, in the order of `PREVIEW`. */
  readonly expected: readonly ReadonlySignal<string>[];
  readonly onPublish: () => Promise<void>;
  readonly onBack: () => void;
}

/** Repeated on this page, because a phone shows the preview below the buttons. */
const EXPECTED = ['Expected fill', 'Spread', 'Risk', 'Reward', 'Reward/risk'] as const;

export function Review({ request, order, publisher, instrument, digits, expected, onPublish, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const busy = useSignal(false);
  const failure = useSignal('');
  useLayoutEffect(() => heading.current?.focus(), []);
  const publish = async (): Promise<void> => {
    busy.value = true;
    failure.value = '';
    try {
      await onPublish();
    } catch (error) {
      failure.value = explain(error).general;
    }
    busy.value = false;
  };
  return (
    <section class="signal-panel publish-review" aria-label="Review">
      <h2 ref={heading} tabIndex={-1}>
        Review: this will be recorded
      </h2>
      <Facts entries={recordedFacts(request, order.value, publisher, instrument, digits)} />
      <details class="limits">
        <summary>The request, as it is sent</summary>
        <pre class="sent-request">{JSON.stringify(request, null, 2)}</pre>
      </details>
      <h3>At the current price</h3>
      <Facts entries={EXPECTED.map((term) => [term, expected[PREVIEW.indexOf(term)]])} />
      <p class="notice-line">
        It is public at once and stays in the log and in your track record for good. Nobody can edit or delete it.
      </p>
      <p class="message" role="status" data-tone="bad">
        {failure.value}
      </p>
      <div class="actions">
        <Button tone="primary" disabled={busy.value} onClick={() => void publish()}>
          Publish permanently
        </Button>
        <Button onClick={onBack}>Back to the form</Button>
      </div>
    </section>
  );
}

type Fact = readonly [string, ComponentChildren];

function recordedFacts(
  request: SignalRequest,
  order: TicketCheck['order'],
  publisher: string | null,
  instrument: Instrument | undefined,
  digits: number,
): readonly Fact[] {
  const { symbol, direction, entry, stop_loss, take_profit, targets, breakeven_after, expires_at, note } = request;
  const { max_slippage } = request;
  const at = (value: number): string => price(value, digits);
  const exits = targets ?? (take_profit === undefined ? [] : [{ price: take_profit, fraction: 1 }]);
  const facts: readonly (Fact | false)[] = [
    ['Publisher', publisher ?? 'the account of your API key'],
    ['Instrument', instrument ? `${symbol} · ${instrument.name}` : symbol],
    ['Direction', <DirectionLabel key="" of={direction} />],
    entry === undefined
      ? ['Entry', `market order, at the ${direction === 'buy' ? 'ask' : 'bid'} when it is published`]
      : ['Entry', `${at(entry)}${order === null ? '' : `, ${order} order if the price stays here`}`],
    entry === undefined && ['Max slippage', max_slippage === undefined ? 'no limit' : at(max_slippage)],
    ['Stop', at(stop_loss)],
    ...exits.map(
      (target, index): Fact => [
        exits.length === 1 ? 'Target' : `Target ${index + 1}`,
        exits.length === 1 ? at(target.price) : `${at(target.price)}, ${partText(target.fraction)} of the position`,
      ],
    ),
    breakeven_after !== undefined && ['Breakeven', `stop to the entry after target ${breakeven_after}`],
    ['Entry expires', entryDeadline(order, expires_at)],
    ['Trade expires', expires_at === undefined ? '30 days after publication' : exactly(Date.parse(expires_at))],
    ['Note', note ?? 'none'],
    ['Quote', 'the current bid and ask, as evidence'],
    ['Signed', 'no'],
  ];
  return facts.filter((fact) => fact !== false);
}

function entryDeadline(order: TicketCheck['order'], expiresAt: string | undefined): string {
  if (order === 'market') return '60 s after publication';
  return expiresAt === undefined ? '24 hours after publication' : exactly(Date.parse(expiresAt));
}
