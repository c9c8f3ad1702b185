// The form to publish a signal, with a live check beside it: what it risks, and what the market would make of it now.
import { type SignalRequest, TickwireError } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, button, link, make, write } from '../elements.ts';
import { price, setNumber } from '../format.ts';
import { Field } from '../forms/field.ts';
import { Form } from '../forms/form.ts';
import type { Workspace } from '../workspace.ts';
import { entrySide } from './levels.ts';
import { mayPublish } from './publish-right.ts';
import { checkTicket, priceIn, type Ticket, type TicketCheck, type TicketField, type TicketMarket } from './ticket.ts';
import { inPips } from './words.ts';

const HOUR = 3_600_000;
/** The longest is a little less than the 30 days that are allowed: clocks differ. */
const EXPIRIES = [
  { value: '', text: 'as usual: 24 hours for the entry, 30 days in all' },
  { value: String(HOUR), text: 'in 1 hour' },
  { value: String(4 * HOUR), text: 'in 4 hours' },
  { value: String(24 * HOUR), text: 'in 24 hours' },
  { value: String(7 * 24 * HOUR), text: 'in 7 days' },
  { value: String(30 * 24 * HOUR - HOUR / 12), text: 'in 30 days' },
];
const MOST_NOTE = 500;
const LABELS: Readonly<Record<TicketField, string>> = { entry: 'Entry', stop_loss: 'Stop', take_profit: 'Target' };

export class PublishPage {
  readonly element = make('section', 'signals-page publish');
  readonly #workspace: Workspace;
  readonly #end = new AbortController();
  readonly #symbol: Field;
  readonly #direction: Field;
  readonly #entry = Field.input({ name: 'entry', label: 'Entry', mono: true });
  readonly #stop = Field.input({ name: 'stop_loss', label: 'Stop', mono: true });
  readonly #target = Field.input({ name: 'take_profit', label: 'Target', mono: true });
  readonly #expiry = Field.select({ name: 'expires_at', label: 'Ends' }, EXPIRIES);
  readonly #note = Field.input({
    name: 'note',
    label: 'Note (optional)',
    hint: 'Plain text for the readers. It cannot be changed afterwards.',
    maxLength: MOST_NOTE,
  });
  readonly #form: Form;
  readonly #check = make('div', 'ticket-check');
  /** The same ticket sent again after no answer came has the same key, so that it is published once. */
  #attempt: { readonly body: string; readonly key: string } | null = null;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    const { signal } = this.#end;
    const query = new URLSearchParams(location.search);
    const choices = workspace.instruments.map(({ symbol, name }) => ({ value: symbol, text: `${symbol} · ${name}` }));
    this.#symbol = Field.select(
      { name: 'symbol', label: 'Instrument' },
      choices,
      (query.get('symbol') ?? '').toUpperCase(),
    );
    const sides = [
      { value: 'buy', text: '▲ Buy' },
      { value: 'sell', text: '▼ Sell' },
    ];
    this.#direction = Field.select({ name: 'direction', label: 'Direction' }, sides, query.get('direction') ?? 'buy');
    for (const field of [this.#entry, this.#stop, this.#target]) field.control.setAttribute('inputmode', 'decimal');
    (this.#note.control as HTMLInputElement).required = false;
    this.#entry.control.after(button('Market', 'plain', () => this.#takeMarket()));
    const fields = [this.#symbol, this.#direction, this.#entry, this.#stop, this.#target, this.#expiry, this.#note];
    this.#form = new Form({ fields, submit: 'Publish', send: () => this.#send() });
    const hint =
      'A signal is public at once and is never changed or deleted. The market decides what becomes of it, and it stays in your record.';
    this.element.append(
      box(
        'div',
        'signal-body',
        link('← All signals', '/signals', 'back'),
        box('header', '', make('h1', '', 'Publish a signal'), make('p', 'hint', hint)),
        ...(mayPublish(workspace) ? [] : [notAllowed()]),
        box('div', 'signal-columns', box('section', 'signal-panel', this.#form.element), this.#checkPanel()),
      ),
    );
    this.#form.element.addEventListener('input', () => this.#showCheck(), { signal });
    workspace.board.onChange((changed) => {
      if (changed.has(this.#symbol.value)) this.#showCheck();
    }, signal);
    this.#showCheck();
  }

  shown(): void {
    this.#form.focus();
  }

  close(): void {
    this.#end.abort();
  }

  #checkPanel(): HTMLElement {
    const made = box('section', 'signal-panel', make('h2', '', 'What it would be now'), this.#check);
    made.setAttribute('aria-label', 'Check of the signal');
    return made;
  }

  get #ticket(): Ticket {
    return {
      direction: this.#direction.value === 'sell' ? 'sell' : 'buy',
      entry: priceIn(this.#entry.value),
      stop: priceIn(this.#stop.value),
      target: priceIn(this.#target.value),
    };
  }

  get #market(): TicketMarket | null {
    const row = this.#workspace.board.row(this.#symbol.value);
    if (!row || row.bid === null || row.ask === null) return null;
    return { bid: row.bid, ask: row.ask, digits: row.digits, pipSize: row.instrument.pip_size };
  }

  #takeMarket(): void {
    const market = this.#market;
    if (!market) return;
    const { direction } = this.#ticket;
    const side = entrySide({ direction, entry: 0, stop_loss: 0, take_profit: 0 }, market);
    this.#entry.control.value = side.toFixed(market.digits);
    this.#entry.refuse('');
    this.#showCheck();
  }

  #showCheck(): void {
    const market = this.#market;
    const check = checkTicket(this.#ticket, market);
    const digits = market?.digits ?? 5;
    const lines: (readonly [string, string])[] = [
      ['Market', market ? `${price(market.bid, digits)} / ${price(market.ask, digits)}` : 'no price yet'],
      ['Entry', orderText(check, digits)],
      ['Risk', check.stopPips === null ? '–' : `${inPips(check.stopPips)} pips to the stop`],
      ['Reward', check.targetPips === null ? '–' : `${inPips(check.targetPips)} pips to the target`],
      ['Reward to risk', check.rewardToRisk === null ? '–' : `${setNumber(check.rewardToRisk.toFixed(2))} : 1`],
    ];
    const problems = [...check.problems].map(([field, allowed]) => `${LABELS[field]} must be ${allowed}.`);
    const [list = null, faults = null] = [...this.#check.children];
    if (!list || !faults) {
      this.#check.append(make('dl', 'facts'), make('ul', 'ticket-problems'));
      this.#showCheck();
      return;
    }
    // Written in place: a check that is made anew with every tick could not be selected or read out.
    if (list.children.length === 0) for (const [term] of lines) list.append(make('dt', '', term), make('dd', ''));
    lines.forEach(([, text], at) => {
      const dd = list.children[at * 2 + 1];
      if (dd) write(dd, text);
    });
    if (problems.join('\n') !== [...faults.children].map((line) => line.textContent).join('\n'))
      faults.replaceChildren(...problems.map((text) => make('li', '', text)));
  }

  async #send(): Promise<void> {
    const { client, router } = this.#workspace;
    const request = this.#request();
    const body = JSON.stringify(request);
    if (this.#attempt?.body !== body) this.#attempt = { body, key: newKey() };
    try {
      const { id } = await client.publishSignal(request, { idempotencyKey: this.#attempt.key });
      router.go(pathOf('signals', id));
    } catch (error) {
      // What was refused was not published: the next try is another one.
      if (error instanceof TickwireError && error.status !== 0) this.#attempt = null;
      throw explained(error, checkTicket(this.#ticket, this.#market));
    }
  }

  #request(): SignalRequest {
    const { direction, entry, stop, target } = this.#ticket;
    const empty = (
      [
        ['entry', entry],
        ['stop_loss', stop],
        ['take_profit', target],
      ] as const
    ).filter(([, value]) => value === null);
    if (entry === null || stop === null || target === null) {
      const errors = empty.map(([parameter]) => ({ parameter, value: null, allowed: 'a price, such as 1.0834' }));
      throw new TickwireError({ status: 400, code: 'invalid_parameter', detail: '', errors });
    }
    const after = this.#expiry.value;
    return {
      symbol: this.#symbol.value,
      direction,
      entry,
      stop_loss: stop,
      take_profit: target,
      // To the minute, so that a second try within it is the same ticket.
      ...(after !== '' && {
        expires_at: new Date(Math.ceil((Date.now() + Number(after)) / 60_000) * 60_000).toISOString(),
      }),
      ...(this.#note.value.trim() !== '' && { note: this.#note.value.trim() }),
    };
  }
}

function orderText({ order, fillsAt, tolerancePips }: TicketCheck, digits: number): string {
  if (order === null) return '–';
  const near = tolerancePips === null ? '' : ` (within ${inPips(tolerancePips)} pips of the market)`;
  if (order === 'market') return `fills at once, at ${price(fillsAt, digits)}${near}`;
  if (order === 'limit') return 'waits as a limit, for a better price than now';
  return 'waits as a stop, for the market to go on to it';
}

function notAllowed(): HTMLElement {
  const text = 'Your account may not publish. Ask who runs this service for it.';
  return box('div', 'sorry', make('p', '', text));
}

/** Of these the service names no field; the check beside the form does. */
const ABOUT_LEVELS = [
  'finer_than_digits',
  'levels_out_of_order',
  'entry_too_far',
  'distance_out_of_range',
  'level_reached',
];

function explained(error: unknown, { problems }: TicketCheck): unknown {
  if (!(error instanceof TickwireError) || error.errors.length > 0) return error;
  const { status, code } = error;
  if (ABOUT_LEVELS.includes(code) && problems.size > 0) {
    const errors = [...problems].map(([parameter, allowed]) => ({ parameter, value: null, allowed }));
    return new TickwireError({ status, code, detail: error.detail, errors });
  }
  if (code === 'expiry_out_of_range') {
    const errors = [{ parameter: 'expires_at', value: null, allowed: 'later than now and at most 30 days ahead' }];
    return new TickwireError({ status, code, detail: error.detail, errors });
  }
  if (code === 'missing_scope') {
    const detail =
      'This key may not publish: it lacks the scope “publish”. Make one that may in Settings, under API keys.';
    return new TickwireError({ status, code, detail });
  }
  return error;
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
