// How many lots the stop allows, for the balance, currency and risk of the person. They are kept in this browser, together with
// those of the publish page.
import type { PositionSize } from '@tickwire/client';
import { make, write } from '../../ui/dom/elements.ts';
import { explain } from '../../ui/failure.ts';
import { setNumber } from '../../ui/format.ts';
import { readRecord, storeRecord } from '../../ui/stored-record.ts';
import type { ChartServices } from '../frame/chart-part.ts';

const STORED = 'tickwire.position-size';
/** After the last change. */
const SETTLE_MS = 400;

const INPUTS = [
  ['balance', 'Balance', '', 'decimal'],
  ['currency', 'Currency', 'USD', 'text'],
  ['risk', 'Risk in %', '1', 'decimal'],
] as const;
type Input = (typeof INPUTS)[number][0];

export class PublishSize {
  readonly element: HTMLElement;
  readonly #client: ChartServices['client'];
  readonly #inputs: Readonly<Record<Input, HTMLInputElement>>;
  readonly #result = make('p', { class: 'publish-result', 'aria-live': 'polite' });
  #request = new AbortController();
  #asked = '';
  #levels: { readonly symbol: string; readonly entry: number; readonly stop: number } | null = null;

  constructor(client: ChartServices['client']) {
    this.#client = client;
    const stored = readRecord(localStorage, STORED);
    const entries = INPUTS.map(([name, label, byDefault, mode]) => {
      const input = make('input', { inputmode: mode, autocomplete: 'off', spellcheck: 'false', 'aria-label': label });
      const value = stored[name];
      input.value = typeof value === 'string' ? value.slice(0, 20) : byDefault;
      input.addEventListener('input', () => {
        this.#store();
        this.#update();
      });
      return { name, label, input };
    });
    this.#inputs = Object.fromEntries(entries.map(({ name, input }) => [name, input])) as Record<
      Input,
      HTMLInputElement
    >;
    this.element = make(
      'div',
      'publish-size',
      make(
        'div',
        'publish-account',
        ...entries.map(({ label, input }) => make('label', {}, make('span', {}, label), input)),
      ),
      this.#result,
    );
  }

  show(symbol: string, entry: number, stop: number): void {
    this.#levels = { symbol, entry, stop };
    this.#update();
  }

  close(): void {
    this.#request.abort();
  }

  #store(): void {
    const { balance, currency, risk } = this.#inputs;
    storeRecord(localStorage, STORED, { balance: balance.value, currency: currency.value, risk: risk.value });
  }

  #update(): void {
    const levels = this.#levels;
    if (!levels) return;
    const { balance, currency, risk } = this.#inputs;
    const amount = numberOf(balance.value);
    const percent = numberOf(risk.value);
    const code = currency.value.trim().toUpperCase();
    const problem =
      amount === null
        ? 'Enter your balance to see the position size.'
        : percent === null || percent > 100
          ? 'The risk must be above 0 and at most 100 %.'
          : /^[A-Z]{3,5}$/.test(code)
            ? ''
            : 'The currency must be a code such as USD.';
    const asked = JSON.stringify([levels, amount, percent, code]);
    if (asked === this.#asked && problem === '') return;
    this.#asked = asked;
    this.#request.abort();
    write(this.#result, problem);
    if (problem !== '') return;
    const request = new AbortController();
    this.#request = request;
    const timer = setTimeout(() => void load(), SETTLE_MS);
    request.signal.addEventListener('abort', () => clearTimeout(timer));
    const load = async (): Promise<void> => {
      const { symbol, entry, stop } = levels;
      const options = { symbol, entry, stop_loss: stop, balance: amount!, currency: code, risk_percent: percent! };
      try {
        write(this.#result, sizeText(await this.#client.positionSize(options, { signal: request.signal })));
      } catch (error) {
        if (request.signal.aborted) return;
        this.#asked = '';
        write(this.#result, explain(error).general);
      }
    };
  }
}

export function numberOf(text: string): number | null {
  const plain = text.replace(/\s/g, '').replace(',', '.');
  const value = /^\d{1,15}(?:\.\d{1,12})?$/.test(plain) ? Number(plain) : 0;
  return value > 0 ? value : null;
}

function sizeText({ lots, risk, risk_percent, currency, limited_by }: PositionSize): string {
  const loss = `${setNumber(risk.toFixed(2))} ${currency} (${setNumber(risk_percent.toFixed(2))} %)`;
  const limit =
    limited_by === null
      ? ''
      : limited_by === 'min_lot'
        ? ' The smallest lot would already risk more.'
        : ' This is the largest lot of the instrument.';
  return `${setNumber(String(lots))} lots: the stop costs ${loss}.${limit}`;
}
