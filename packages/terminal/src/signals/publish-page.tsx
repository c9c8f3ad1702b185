// The form to publish a signal, with a live preview and a review before anything is recorded. The form is kept for the tab.
import { signal, useSignal } from '@preact/signals';
import { type SignalRequest, TickwireError } from '@tickwire/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormValues, SelectField, TextField } from '../ui/form.tsx';
import { NO_VALUE } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { Facts } from '../ui/table.tsx';
import { DIRECTIONS } from './labels.ts';
import { marketOf } from './levels.ts';
import { PositionSizePanel } from './position-size.tsx';
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
import { mayPublish } from './publish-permission.ts';
import { PREVIEW, previewTexts, remarksOn } from './publish-preview.ts';
import { missingIn, requestOf, ticketOf } from './publish-request.ts';
import { Review } from './publish-review.tsx';
import { SubPage } from './signal-parts.tsx';
import { TargetFields } from './target-fields.tsx';
import { checkTicket, type TicketCheck, type TicketField, ticketLabel } from './ticket.ts';

export type PublishServices = Pick<TerminalServices, 'client' | 'session' | 'instruments' | 'quotes' | 'navigator'>;

/** By hours. The longest is slightly less than the 30 days that are allowed, because clocks differ. */
const EXPIRIES = [
  { value: '', text: 'default (entry 24 h, trade 30 days)' },
  { value: '1', text: 'in 1 hour' },
  { value: '4', text: 'in 4 hours' },
  { value: '24', text: 'in 24 hours' },
  { value: '168', text: 'in 7 days' },
  { value: '719.9', text: 'in 30 days' },
];
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
/** The age of the last quote grows without one. */
const LOOK_MS = 1_000;
/** Errors about the levels that name no field; the preview knows which one is meant. */
const LEVEL_ERRORS =
  /^(finer_than_digits|levels_out_of_order|invalid_targets|entry_too_far|distance_out_of_range|level_reached)$/;

/** What the position size is computed from. */
interface SizedLevels {
  readonly symbol: string;
  readonly entry: number | null;
  readonly stop: number | null;
}

export function PublishPage({ client, session, instruments, quotes, navigator }: PublishServices) {
  const draft = useRef<PublishDraft>(useMemo(() => startingDraft(location.search), []));
  // Another number mounts a new form.
  const [start, setStart] = useState(0);
  const panel = useRef<HTMLElement>(null);
  const form = (): HTMLFormElement | undefined => panel.current?.querySelector('form') ?? undefined;
  // Bound to their texts: a tick changes them without rendering the page.
  const preview = useMemo(() => PREVIEW.map(() => signal<string>(NO_VALUE)), []);
  const [problems, remarks] = [useSignal(''), useSignal('')];
  const targets = useSignal(draft.current.targets);
  const marketOrder = useSignal(draft.current.values.order === 'market');
  const order = useSignal<TicketCheck['order']>(null);
  const levels = useSignal<SizedLevels>({ symbol: '', entry: null, stop: null });
  const rejected = useSignal<TicketCheck['problems']>(new Map());
  const [review, setReview] = useState<SignalRequest | null>(null);
  // A ticket that is sent again because no response came has the same key, so that it is published once.
  const attempt = useRef<{ readonly body: string; readonly key: string } | null>(null);
  const sized = useRef(0);

  const check = () => {
    const values = new FormValues(form());
    const symbol = values.text('symbol');
    const market = marketOf(quotes, symbol);
    const ticket = ticketOf(values, targets.peek());
    return { values, symbol, market, ticket, result: checkTicket(ticket, market) };
  };
  const update = (resize: boolean): void => {
    const { symbol, market, ticket, result } = check();
    previewTexts(result, market).forEach((text, at) => {
      preview[at]!.value = text;
    });
    order.value = result.order;
    problems.value = [...result.problems.values()].join('\n');
    remarks.value = remarksOn(result, market, quotes.ageMs(symbol)).join('\n');
    if (!resize && Date.now() - sized.current < RESIZE_MS) return;
    sized.current = Date.now();
    const next = { symbol, entry: result.expected?.from ?? ticket.entry, stop: ticket.stop };
    if (JSON.stringify(next) !== JSON.stringify(levels.peek())) levels.value = next;
  };
  useAbortEffect(
    (end) => {
      update(true);
      quotes.onChange((changed) => {
        if (changed.has(new FormValues(form()).text('symbol'))) update(false);
      }, end);
      const timer = setInterval(() => update(false), LOOK_MS);
      end.addEventListener('abort', () => clearInterval(timer));
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
  const reject = (reasons: TicketCheck['problems']): void => {
    rejected.value = reasons;
    const [first = ''] = reasons.keys();
    const control = form()?.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  };
  const toReview = async (): Promise<void> => {
    const { values, ticket, result } = check();
    const request = requestOf(values, ticket, Date.now());
    if (!request) reject(missingIn(ticket));
    else if (result.problems.size > 0) reject(result.problems);
    else setReview(request);
  };
  const publish = async (request: SignalRequest): Promise<void> => {
    const body = JSON.stringify(request);
    if (attempt.current?.body !== body)
      attempt.current = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    try {
      const { id } = await client.publishSignal(request, { idempotencyKey: attempt.current.key });
      storeDraft(EMPTY_DRAFT);
      navigator.go(pathOf('signals', id));
    } catch (error) {
      if (!(error instanceof TickwireError)) throw error;
      // A rejected ticket was not published: the next one is another.
      if (error.status !== 0) attempt.current = null;
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
          result, which stays in your track record.
        </p>
      </header>
      {!mayPublish(session) && (
        <div class="sorry">
          <p>Your account cannot publish signals. Ask the operator of this service for the permission.</p>
        </div>
      )}
      <div class="signal-columns">
        {review && (
          <Review
            request={review}
            order={order}
            publisher={session.account?.name ?? null}
            expected={preview}
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
            <SelectField name="expires_at" label="Expires" choices={EXPIRIES} value={startOf('expires_at')} />
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
              <Facts entries={PREVIEW.map((term, at) => [term, preview[at]])} />
              <Lines of={problems.value} />
              <Lines of={remarks.value} />
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

const Lines = ({ of }: { readonly of: string }) => (
  <ul class="ticket-problems">{of !== '' && of.split('\n').map((text) => <li key={text}>{text}</li>)}</ul>
);
