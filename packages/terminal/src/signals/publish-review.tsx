// The last step before publication: exactly what the log will record, and what to expect at the current price.
import { useSignal } from '@preact/signals';
import type { Instrument, SignalRequest } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/failure.ts';
import { price } from '../ui/format.ts';
import { useInView } from '../ui/hooks.ts';
import { exactly } from '../ui/relative-time.ts';
import { Facts } from '../ui/table.tsx';
import { partText } from './labels.ts';
import type { LivePreview } from './live-preview.ts';
import { PREVIEW } from './publish-preview.ts';
import { DirectionLabel, Lines } from './signal-parts.tsx';
import type { TicketCheck } from './ticket.ts';

interface Props {
  readonly request: SignalRequest;
  /** In a replay. */
  readonly isPractice?: boolean;
  /** `null` if an API key publishes. */
  readonly publisher: string | null;
  readonly instrument: Instrument | undefined;
  readonly digits: number;
  /** As the market would take it now. */
  readonly preview: LivePreview;
  readonly onPublish: () => Promise<void>;
  readonly onBack: () => void;
}

type Order = TicketCheck['order'];

const MEANING: Readonly<Record<NonNullable<Order>, string>> = {
  market: 'The next quote would fill it.',
  limit: 'It would wait for a better price than now.',
  stop: 'It would wait until the market reaches the entry.',
};

/** Repeated on this page, because a phone shows the preview below the buttons. */
const EXPECTED = ['Expected fill', 'Spread', 'Risk', 'Reward', 'Reward/risk'] as const;

export function Review(props: Props) {
  const { request, isPractice = false, publisher, instrument, digits, preview, onPublish, onBack } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const busy = useSignal(false);
  const failure = useSignal('');
  const { order, texts } = preview;
  /** What the user has read. */
  const [agreed, agree] = useState(order.peek());
  useLayoutEffect(() => {
    if (agreed === null && order.value !== null) agree(order.value);
  });
  const isOther = (now: Order): boolean => agreed !== null && now !== null && now !== agreed;
  useLayoutEffect(() => heading.current?.focus(), []);
  const hasMoved = isOther(order.value);
  const failed = useInView<HTMLParagraphElement>(failure.value);
  const moved = useInView<HTMLDivElement>(hasMoved);
  const publish = async (): Promise<void> => {
    // The price may have moved since the button was drawn.
    if (isOther(order.peek())) return;
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
        {isPractice ? 'Review the practice signal' : 'Review: this will be recorded'}
      </h2>
      <Facts entries={recordedFacts(request, agreed, publisher, instrument, digits)} />
      <details class="limits">
        <summary>The request, as it is sent</summary>
        <pre class="sent-request">{JSON.stringify(request, null, 2)}</pre>
      </details>
      <h3>At the current price</h3>
      <Facts entries={EXPECTED.map((term) => [term, texts[PREVIEW.indexOf(term)]])} />
      <Lines of={preview.remarks} />
      <p class="notice-line">
        {isPractice
          ? 'It is judged by the rules of real signals. It is in no log and in no track record, and ends with the replay.'
          : 'It is public at once and stays in the log and in your track record for good. Nobody can edit or delete it.'}
      </p>
      <p class="message" role="status" data-tone="bad" ref={failed}>
        {failure.value}
      </p>
      {hasMoved && (
        <div class="notice-line" role="alert" ref={moved}>
          <p>{`The price has moved: this is now a ${order.value} order, not a ${agreed} order. ${MEANING[order.value!]}`}</p>
          <Button onClick={() => agree(order.value)}>{`Continue with a ${order.value} order`}</Button>
        </div>
      )}
      <div class="actions">
        <Button tone="primary" disabled={busy.value || hasMoved} onClick={() => void publish()}>
          {isPractice ? 'Publish practice signal' : 'Publish permanently'}
        </Button>
        <Button disabled={busy.value} onClick={onBack}>
          Back to the form
        </Button>
      </div>
    </section>
  );
}

type Fact = readonly [string, ComponentChildren];

function recordedFacts(
  request: SignalRequest,
  order: Order,
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
      : ['Entry', `${at(entry)}${order === null ? '' : `, ${order} order`}`],
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

function entryDeadline(order: Order, expiresAt: string | undefined): string {
  if (order === 'market') return '60 s after publication';
  return expiresAt === undefined ? '24 hours after publication' : exactly(Date.parse(expiresAt));
}
