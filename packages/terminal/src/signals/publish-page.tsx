// The form to publish a signal, with a live preview and a review before anything is recorded. The form is kept for the tab.
import { useSignal } from '@preact/signals';
import { type SignalRequest, TickwireError } from '@tickwire/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { SizedLevels } from '../services/placed-forms.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button, GuideLink } from '../ui/button.tsx';
import { Form, FormValues, SelectField, TextField } from '../ui/form.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { Facts } from '../ui/table.tsx';
import { DIRECTIONS } from './labels.ts';
import { marketOf } from './levels.ts';
import { LivePreview } from './live-preview.ts';
import { PasteSignal } from './paste/paste-signal.tsx';
import { PositionSizePanel } from './position-size.tsx';
import { PublishAttempt } from './publish-attempt.ts';
import {
  DRAFT_FIELDS,
  EMPTY_DRAFT,
  hasContent,
  MOST_TARGETS,
  type PublishDraft,
  startingDraft,
  storeDraft,
  withTargets,
} from './publish-draft.ts';
import { expiryChoices } from './publish-expiry.ts';
import { mayPublish } from './publish-permission.ts';
import { PREVIEW } from './publish-preview.ts';
import { missingIn, requestOf, ticketOf } from './publish-request.ts';
import { Review } from './publish-review.tsx';
import { Lines, SubPage } from './signal-parts.tsx';
import { TargetFields } from './target-fields.tsx';
import { type TicketCheck, type TicketField, ticketLabel } from './ticket.ts';

export type PublishServices = Pick<
  TerminalServices,
  'client' | 'session' | 'instruments' | 'isReplay' | 'quotes' | 'navigator'
>;

/** Named as in the request; a limit or stop order follows from its entry. */
const ORDERS = [
  { value: '', text: 'at a price (limit or stop)' },
  { value: 'market', text: 'at the market' },
];
/** Fields that only one kind of order has. */
const OTHER_ORDER = ['entry', 'max_slippage'];
const SIDES = (['buy', 'sell'] as const).map((value) => ({ value, text: DIRECTIONS[value] }));
const MOST_NOTE = 500;
/** The position size follows the market this often; what is typed changes it at once. */
const RESIZE_MS = 5_000;
/** Errors about the levels that name no field; the preview knows which one is meant. */
const LEVEL_ERRORS =
  /^(finer_than_digits|levels_out_of_order|invalid_targets|entry_too_far|distance_out_of_range|level_reached)$/;

export function PublishPage({ client, session, instruments, quotes, navigator }: PublishServices) {
  const draft = useRef<PublishDraft>(useMemo(() => startingDraft(location.search), []));
  // Another number mounts a new form.
  const [start, setStart] = useState(0);
  const panel = useRef<HTMLElement>(null);
  const form = (): HTMLFormElement | undefined => panel.current?.querySelector('form') ?? undefined;
  const preview = useMemo(() => new LivePreview(quotes), []);
  const targets = useSignal(draft.current.targets);
  const marketOrder = useSignal(draft.current.values.order === 'market');
  const levels = useSignal<SizedLevels>({ symbol: '', entry: null, stop: null });
  const rejected = useSignal<TicketCheck['problems']>(new Map());
  const [review, setReview] = useState<SignalRequest | null>(null);
  const attempt = useMemo(() => new PublishAttempt(client), []);
  const sized = useRef(0);

  const check = () => {
    const values = new FormValues(form());
    const symbol = values.text('symbol');
    const ticket = ticketOf(values, targets.peek());
    return { values, symbol, ticket, result: preview.update(symbol, ticket) };
  };
  const update = (resize: boolean): void => {
    const { symbol, ticket, result } = check();
    if (!resize && Date.now() - sized.current < RESIZE_MS) return;
    sized.current = Date.now();
    const next = { symbol, entry: result.expected?.from ?? ticket.entry, stop: ticket.stop };
    if (JSON.stringify(next) !== JSON.stringify(levels.peek())) levels.value = next;
  };
  useAbortEffect(
    (end) => {
      update(true);
      const symbol = (): string => new FormValues(form()).text('symbol');
      preview.follow(symbol, () => update(false), end);
    },
    [preferences.choices, targets.value, marketOrder.value, start],
  );
  const keep = (next: PublishDraft): void => {
    draft.current = next;
    storeDraft(next);
  };
  const startOf = (name: string): string => draft.current.values[name] ?? '';
  const onInput = (): void => {
    if (rejected.peek().size > 0) rejected.value = new Map();
    const values = new FormValues(form());
    // A field of the other kind of order is not in the form. It keeps what was typed.
    const kept = OTHER_ORDER.filter((name) => !form()?.elements.namedItem(name)).map((name) => [name, startOf(name)]);
    const typed = [...DRAFT_FIELDS.map((name) => [name, values.text(name)]), ...kept].filter(([, text]) => text !== '');
    keep({ values: Object.fromEntries(typed), targets: targets.peek() });
    marketOrder.value = values.text('order') === 'market';
    update(true);
  };
  const setTargets = (count: number): void => {
    const next = Math.min(MOST_TARGETS, Math.max(1, count));
    keep(withTargets(draft.current, next));
    targets.value = next;
  };
  const clear = (): void => {
    const { symbol = '', direction = 'buy' } = draft.current.values;
    keep({ ...EMPTY_DRAFT, values: { symbol, direction } });
    targets.value = EMPTY_DRAFT.targets;
    marketOrder.value = false;
    rejected.value = new Map();
    setStart(start + 1);
  };
  /** Shows what a pasted message says, ready to be published. */
  const fill = (next: PublishDraft): void => {
    keep(next);
    targets.value = next.targets;
    marketOrder.value = next.values.order === 'market';
    rejected.value = new Map();
    setReview(null);
    setStart(start + 1);
    // The form has its new values once it is rendered.
    requestAnimationFrame(() => void toReview());
  };
  const reject = (reasons: TicketCheck['problems']): void => {
    rejected.value = reasons;
    const [first = ''] = reasons.keys();
    const control = form()?.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  };
  const toReview = async (): Promise<void> => {
    const { values, ticket, result } = check();
    const request = attempt.request((now) => requestOf(values, ticket, now));
    if (!request) reject(missingIn(ticket));
    else if (result.problems.size > 0) reject(result.problems);
    else setReview(request);
  };
  const publish = async (request: SignalRequest): Promise<void> => {
    try {
      const id = await attempt.publish(request);
      storeDraft(EMPTY_DRAFT);
      navigator.go(pathOf('signals', id));
    } catch (error) {
      if (!(error instanceof TickwireError)) throw error;
      const { result } = check();
      if (!LEVEL_ERRORS.test(error.code) || result.problems.size === 0) throw error;
      setReview(null);
      // The fields are hidden until the form is rendered again.
      requestAnimationFrame(() => reject(result.problems));
    }
  };
  const priceField = (name: TicketField) => (
    <TextField
      key={name}
      name={name}
      label={ticketLabel(name, 1)}
      problem={rejected.value.get(name) ?? ''}
      mono
      inputMode="decimal"
      value={startOf(name)}
    />
  );
  return (
    <SubPage class="publish" of="signals">
      <header>
        <h1>Publish a signal</h1>
        <p class="hint">
          A signal is public immediately and cannot be deleted; only its stop can be tightened. The market decides its
          result, which stays in your track record.{' '}
          <GuideLink href="/guide/reference/signals#publishing">Rules of publishing</GuideLink>
        </p>
      </header>
      {!mayPublish(session) && (
        <div class="sorry">
          <p>Your account cannot publish signals. Ask the operator of this service for permission.</p>
        </div>
      )}
      <PasteSignal client={client} onFill={fill} />
      <div class="signal-columns">
        {review && (
          <Review
            request={review}
            publisher={session.account?.name ?? null}
            preview={preview}
            instrument={instruments.find(({ symbol }) => symbol === review.symbol)}
            digits={marketOf(quotes, review.symbol)?.digits ?? 0}
            onPublish={() => publish(review)}
            onBack={() => setReview(null)}
          />
        )}
        {/* Hidden and not removed: its fields keep their values. */}
        <section class="signal-panel" ref={panel} onInput={onInput} hidden={review !== null}>
          <Form key={start} submit="Review" autoFocus onSubmit={toReview}>
            <SelectField
              name="symbol"
              label="Instrument"
              choices={instruments.map(({ symbol, name }) => ({ value: symbol, text: `${symbol} · ${name}` }))}
              value={startOf('symbol')}
            />
            <SelectField name="direction" label="Direction" choices={SIDES} value={startOf('direction')} />
            <SelectField name="order" label="Order" choices={ORDERS} value={startOf('order')} />
            {marketOrder.value ? (
              <TextField
                key="max_slippage"
                name="max_slippage"
                label="Max slippage (optional)"
                hint="In price units. If the next quote is worse by more, the order ends unfilled."
                problem={rejected.value.get('max_slippage') ?? ''}
                mono
                inputMode="decimal"
                value={startOf('max_slippage')}
                optional
              />
            ) : (
              priceField('entry')
            )}
            {priceField('stop_loss')}
            <TargetFields count={targets.value} problems={rejected.value} startOf={startOf} onCount={setTargets} />
            <ExpiryField preview={preview} start={startOf('expires_at')} />
            <TextField
              name="note"
              label="Note (optional)"
              hint="Plain text. It cannot be changed later."
              maxLength={MOST_NOTE}
              value={startOf('note')}
              prose
              optional
            />
          </Form>
          <p class="hint">
            {hasContent(draft.current) ? 'The form is kept until you publish or close this tab. ' : ''}
            <Button tone="linklike" onClick={clear}>
              Clear the form
            </Button>
          </p>
        </section>
        <div class="signal-stack">
          <section class="signal-panel" aria-label="Preview of the signal">
            <h2>Preview, at the current price</h2>
            <div>
              <Facts entries={PREVIEW.map((term, at) => [term, preview.texts[at]])} />
              <Lines of={preview.problems} />
              <Lines of={preview.remarks} />
            </div>
            <p class="hint">
              Risk and reward are measured from the expected fill, with the spread. R is the distance from the entry to
              the stop, as published.
            </p>
          </section>
          <PositionSizePanel client={client} {...levels.value} />
        </div>
      </div>
    </SubPage>
  );
}

/** Its default depends on the order, which can change with every quote. */
const ExpiryField = ({ preview, start }: { readonly preview: LivePreview; readonly start: string }) => (
  <SelectField name="expires_at" label="Expires" choices={expiryChoices(preview.order.value)} value={start} />
);
