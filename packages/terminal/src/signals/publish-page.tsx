// The form to publish a signal, with a live preview: its risk and reward, and how the market would take it now.
import { signal, useSignal } from '@preact/signals';
import { type SignalRequest, TickwireError } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Field, Form, FormValues, SelectField } from '../ui/form.tsx';
import { NO_VALUE, price, setNumber } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { Facts } from '../ui/table.tsx';
import { DIRECTIONS, inPips } from './labels.ts';
import { entrySide, type InstrumentMarket, marketOf } from './levels.ts';
import { PositionSizePanel } from './position-size.tsx';
import { mayPublish } from './publish-permission.ts';
import { SubPage } from './signal-parts.tsx';
import { MOST_TARGETS, TargetFields, targetsIn } from './target-fields.tsx';
import { checkTicket, parsePrice, type Ticket, type TicketCheck, type TicketField, ticketLabel } from './ticket.ts';

export type PublishServices = Pick<TerminalServices, 'client' | 'session' | 'instruments' | 'quotes' | 'navigator'>;

const HOUR = 3_600_000;
/** By hours. The longest is slightly less than the 30 days that are allowed, because clocks differ. */
const EXPIRIES = [
  { value: '', text: 'default (entry 24 h, trade 30 days)' },
  { value: '1', text: 'in 1 hour' },
  { value: '4', text: 'in 4 hours' },
  { value: '24', text: 'in 24 hours' },
  { value: '168', text: 'in 7 days' },
  { value: '719.9', text: 'in 30 days' },
];
const SIDES = (['buy', 'sell'] as const).map((value) => ({ value, text: DIRECTIONS[value] }));
const PREVIEW = ['Market', 'Entry', 'Risk', 'Reward', 'Reward/risk'] as const;
const MOST_NOTE = 500;
/** Errors about the levels that name no field; the preview knows which one is meant. */
const LEVEL_ERRORS =
  /^(finer_than_digits|levels_out_of_order|invalid_targets|entry_too_far|distance_out_of_range|level_reached)$/;

const ticketOf = (values: FormValues, targets: number): Ticket => ({
  direction: values.text('direction') === 'sell' ? 'sell' : 'buy',
  entry: parsePrice(values.text('entry')),
  stop: parsePrice(values.text('stop_loss')),
  targets: targetsIn(values, targets),
});

export function PublishPage({ client, session, instruments, quotes, navigator }: PublishServices) {
  const query = useMemo(() => new URLSearchParams(location.search), []);
  const panel = useRef<HTMLElement>(null);
  const form = (): HTMLFormElement | undefined => panel.current?.querySelector('form') ?? undefined;
  // Bound to their texts: a tick changes them without rendering the page.
  const preview = useMemo(() => PREVIEW.map(() => signal<string>(NO_VALUE)), []);
  const problems = useSignal('');
  const targets = useSignal(1);
  /** What the position size is computed from. */
  const levels = useSignal<{ readonly symbol: string; readonly entry: number | null; readonly stop: number | null }>({
    symbol: '',
    entry: null,
    stop: null,
  });
  const rejected = useSignal<TicketCheck['problems']>(new Map());
  // A ticket that is sent again because no response came has the same key, so that it is published once.
  const attempt = useRef<{ readonly body: string; readonly key: string } | null>(null);

  const marketIn = (values: FormValues): InstrumentMarket | null => marketOf(quotes, values.text('symbol'));
  const update = (): void => {
    const values = new FormValues(form());
    const market = marketIn(values);
    const ticket = ticketOf(values, targets.peek());
    const check = checkTicket(ticket, market);
    previewTexts(check, market).forEach((text, at) => {
      preview[at]!.value = text;
    });
    problems.value = [...check.problems.values()].join('\n');
    const next = { symbol: values.text('symbol'), entry: ticket.entry, stop: ticket.stop };
    if (JSON.stringify(next) !== JSON.stringify(levels.peek())) levels.value = next;
  };
  useAbortEffect(
    (end) => {
      update();
      quotes.onChange((changed) => {
        if (changed.has(new FormValues(form()).text('symbol'))) update();
      }, end);
    },
    [preferences.choices, targets.value],
  );
  const enterMarket = (): void => {
    const values = new FormValues(form());
    const market = marketIn(values);
    const input = form()?.elements.namedItem('entry');
    if (!market || !(input instanceof HTMLInputElement)) return;
    input.value = entrySide(ticketOf(values, 1), market).toFixed(market.digits);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const reject = (reasons: TicketCheck['problems']): void => {
    rejected.value = reasons;
    const [first = ''] = reasons.keys();
    const control = form()?.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  };
  const publish = async (values: FormValues): Promise<void> => {
    const ticket = ticketOf(values, targets.value);
    const request = requestOf(values, ticket);
    if (!request) {
      reject(missingIn(ticket));
      return;
    }
    const body = JSON.stringify(request);
    if (attempt.current?.body !== body)
      attempt.current = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    try {
      const { id } = await client.publishSignal(request, { idempotencyKey: attempt.current.key });
      navigator.go(pathOf('signals', id));
    } catch (error) {
      if (!(error instanceof TickwireError)) throw error;
      // A rejected ticket was not published: the next one is another.
      if (error.status !== 0) attempt.current = null;
      const levels = checkTicket(ticket, marketIn(values)).problems;
      if (!LEVEL_ERRORS.test(error.code) || levels.size === 0) throw error;
      reject(levels);
    }
  };
  const priceField = (name: TicketField, beside?: ComponentChildren) => (
    <Field name={name} label={ticketLabel(name, 1)} problem={rejected.value.get(name) ?? ''}>
      {(control) => (
        <>
          <input {...control} class="mono" inputMode="decimal" required spellcheck={false} autocomplete="off" />
          {beside}
        </>
      )}
    </Field>
  );
  const onInput = (): void => {
    if (rejected.peek().size > 0) rejected.value = new Map();
    update();
  };
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
        <section class="signal-panel" ref={panel} onInput={onInput}>
          <Form submit="Publish" autoFocus onSubmit={publish}>
            <SelectField
              name="symbol"
              label="Instrument"
              choices={instruments.map(({ symbol, name }) => ({ value: symbol, text: `${symbol} · ${name}` }))}
              value={(query.get('symbol') ?? '').toUpperCase()}
            />
            <SelectField name="direction" label="Direction" choices={SIDES} value={query.get('direction') ?? 'buy'} />
            {priceField('entry', <Button onClick={enterMarket}>Market</Button>)}
            {priceField('stop_loss')}
            <TargetFields
              count={targets.value}
              problems={rejected.value}
              onCount={(count) => {
                targets.value = Math.min(MOST_TARGETS, Math.max(1, count));
              }}
            />
            <SelectField name="expires_at" label="Expires" choices={EXPIRIES} />
            <Field name="note" label="Note (optional)" hint="Plain text. It cannot be changed later.">
              {(control) => <input {...control} maxLength={MOST_NOTE} autocomplete="off" />}
            </Field>
          </Form>
        </section>
        <div class="signal-stack">
          <section class="signal-panel" aria-label="Preview of the signal">
            <h2>Preview</h2>
            <div>
              <Facts entries={PREVIEW.map((term, at) => [term, preview[at]])} />
              <ul class="ticket-problems">
                {problems.value !== '' && problems.value.split('\n').map((text) => <li key={text}>{text}</li>)}
              </ul>
            </div>
          </section>
          <PositionSizePanel client={client} {...levels.value} />
        </div>
      </div>
    </SubPage>
  );
}

/** The values of the preview, in the order of `PREVIEW`. */
function previewTexts(check: TicketCheck, market: InstrumentMarket | null): readonly string[] {
  const { stopPips, targetPips, rewardToRisk } = check;
  const at = (value: number | null): string => price(value, market?.digits ?? 0);
  return [
    market ? `${at(market.bid)} / ${at(market.ask)}` : 'no price yet',
    orderText(check, at(check.fillsAt)),
    stopPips === null ? NO_VALUE : `${inPips(stopPips)} pips to stop`,
    rewardText(targetPips),
    rewardToRisk === null ? NO_VALUE : `${setNumber(rewardToRisk.toFixed(2))} : 1`,
  ];
}

function orderText({ order, tolerancePips }: TicketCheck, fillsAt: string): string {
  if (order === null) return NO_VALUE;
  if (order === 'limit') return 'pending limit: fills at a better price than now';
  if (order === 'stop') return 'pending stop: fills when the market moves on to it';
  return `market order: the next quote fills it, at ${fillsAt} or worse (within ${inPips(tolerancePips ?? 0)} pips of the market)`;
}

function rewardText(pips: readonly (number | null)[]): string {
  if (pips.some((each) => each === null)) return NO_VALUE;
  return `${pips.map((each) => inPips(each!)).join(' / ')} pips to target${pips.length > 1 ? 's' : ''}`;
}

/** The prices and parts that are missing or cannot be read. */
function missingIn({ entry, stop, targets }: Ticket): TicketCheck['problems'] {
  const values: readonly (readonly [TicketField, number | null, string])[] = [
    ['entry', entry, 'a price, such as 1.0834'],
    ['stop_loss', stop, 'a price, such as 1.0834'],
    ...targets.flatMap(({ price, fraction }, index) => [
      [`target_${index + 1}`, price, 'a price, such as 1.0834'] as const,
      [`fraction_${index + 1}`, fraction, 'a percentage with at most two decimals'] as const,
    ]),
  ];
  return new Map(
    values
      .filter(([, value]) => value === null)
      .map(([field, , allowed]) => [field, `${ticketLabel(field, targets.length)} must be ${allowed}.`]),
  );
}

/** `null` if a price or a part is missing. */
function requestOf(values: FormValues, { direction, entry, stop, targets }: Ticket): SignalRequest | null {
  const exits = targets.flatMap(({ price, fraction }) =>
    price === null || fraction === null ? [] : { price, fraction },
  );
  if (entry === null || stop === null || exits.length < targets.length) return null;
  const [expiry, note] = [values.text('expires_at'), values.text('note').trim()];
  const breakeven = values.text('breakeven_after');
  return {
    symbol: values.text('symbol'),
    direction,
    entry,
    stop_loss: stop,
    ...(exits.length === 1 ? { take_profit: exits[0]!.price } : { targets: exits }),
    ...(breakeven !== '' && { breakeven_after: Number(breakeven) }),
    // Rounded to the minute, so that a retry within it is the same ticket.
    ...(expiry !== '' && {
      expires_at: new Date(Math.ceil((Date.now() + Number(expiry) * HOUR) / 60_000) * 60_000).toISOString(),
    }),
    ...(note !== '' && { note }),
  };
}
