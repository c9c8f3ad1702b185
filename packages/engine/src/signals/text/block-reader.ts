// Reads the labels and numbers of one signal, without knowing prices: direction, order, entries, stops and targets, each with its
// place. A number that no label explains makes the message unclear.
import { afterMarks, isLabelAhead, isListLine, isNumberAhead, isOrderWord, isStopOrder } from './nearby-words.ts';
import { BLANK } from './notes-in-text.ts';
import type { ReadBlock, ReadNumber, ReadTarget, Unit } from './read-block.ts';
import type { Place, Token } from './tokens.ts';
import { UnclearText } from './unclear.ts';

type Field = 'entry' | 'stop' | 'target';
type NumberToken = Extract<Token, { readonly kind: 'number' }>;
type WordToken = Extract<Token, { readonly kind: 'word' }>;

/** A label that waits for its number, or whose list of targets may go on. */
interface Slot {
  readonly field: Field;
  readonly label: Place;
  readonly ordinal: number | null;
  /** A check mark precedes the label. */
  readonly isBulleted: boolean;
  /** Numbers after the label. */
  values: number;
  /** Marks since the label or its last number; `to` for the word. */
  between: string;
  isOpen: boolean;
  /** The second of two numbers with a dash between: a range, unless more follow. */
  dashed: Place | null;
}

const TICK = /[\u2705\u2714\u2611\u2713]/;
const RANGE = /[-~\\/]|to/;

export class BlockReader {
  readonly #tokens: readonly Token[];
  readonly #directions: (Place & { direction: 'buy' | 'sell' })[] = [];
  readonly #entries: ReadNumber[] = [];
  readonly #stops: ReadNumber[] = [];
  readonly #targets: ReadTarget[] = [];
  #now: Place | null = null;
  #order: (Place & { kind: 'limit' | 'stop' }) | null = null;
  #slot: Slot | null = null;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): ReadBlock {
    for (const [at, token] of this.#tokens.entries()) {
      if (token.kind === 'break') this.#readBreak();
      else if (token.kind === 'mark') this.#readMark(token.text, at);
      else if (token.kind === 'word') this.#readWord(token, at);
      else if (token.kind === 'number') this.#readNumber(token, at);
      else if (token.kind === 'ordinal') this.#readOrdinal(token.value, token, at);
      // `BUY XAUUSD 1915` and `XAUUSD 1915`.
      else if (this.#slot?.values !== 0) this.#open('entry', token, at);
    }
    this.#close();
    return {
      directions: this.#directions,
      now: this.#now,
      order: this.#order,
      entries: this.#entries,
      stops: this.#stops,
      targets: this.#targets,
    };
  }

  #readBreak(): void {
    const slot = this.#slot;
    if (slot && slot.values > 0 && slot.field !== 'target') this.#close();
    else if (slot) slot.between += '\n';
  }

  #readMark(mark: string, at: number): void {
    const slot = this.#slot;
    if (!slot) return;
    // A number after a note does not belong to the list before it.
    if (mark === BLANK && slot.values > 0) {
      this.#close();
      return;
    }
    slot.between += mark;
    // `TP1 1920 ✅` says that it was reached; in `✅ TP 1920 ✅ TP 1930` the mark begins the next item.
    const isTick = TICK.test(mark) && slot.field === 'target' && slot.values > 0 && !slot.between.includes('\n');
    if (isTick && !(slot.isBulleted && isLabelAhead(this.#tokens, at)))
      throw new UnclearText(
        'report',
        'A check mark after a target can mean that it was reached. Leave it out of a new signal.',
        this.#tokens[at]!,
      );
  }

  #readWord(token: WordToken, at: number): void {
    const slot = this.#slot;
    switch (token.meaning) {
      case 'buy':
      case 'sell':
        this.#directions.push({ direction: token.meaning, from: token.from, to: token.to });
        this.#open('entry', token, at);
        break;
      case 'now':
        if (isOrderWord(this.#tokens, at)) this.#now ??= token;
        break;
      case 'limit':
        if (isOrderWord(this.#tokens, at)) this.#setOrder('limit', token, at);
        break;
      case 'stop':
        if (isStopOrder(this.#tokens, at)) this.#setOrder('stop', token, at);
        else this.#open('stop', token, at);
        break;
      case 'stop-loss':
        this.#open('stop', token, at);
        break;
      case 'target':
      case 'entry':
        this.#open(token.meaning, token, at);
        break;
      case 'at':
        if (slot?.values !== 0 && !this.#isUnknown(at - 1)) this.#open('entry', token, at);
        break;
      case 'to':
        if (slot) slot.between += 'to';
        break;
      case 'open':
      case 'none':
        if (slot?.values === 0) slot.isOpen = true;
        break;
      case 'approximate':
      case 'range':
        this.#checkExact(token.meaning, token, at);
        break;
      case 'link':
      case 'pips':
      case 'points':
        break;
      default:
        // An unknown word ends a label: what follows is not what the label promised.
        this.#close();
    }
  }

  #isUnknown(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'word' && token.meaning === 'unknown';
  }

  /** `around 1915`, `buy zone 1912`. Without a number, the words say nothing. */
  #checkExact(meaning: 'approximate' | 'range', place: Place, at: number): void {
    if (!isNumberAhead(this.#tokens, at)) return;
    if (meaning === 'range') throw new UnclearText('entry_range', 'This is a range of prices. Write one price.', place);
    throw new UnclearText('approximate_price', 'This price is not exact. Write the price alone.', place);
  }

  #readOrdinal(value: number, place: Place, at: number): void {
    const slot = this.#slot;
    if (slot?.field === 'target' && this.#continues(slot, at)) this.#open('target', place, at, value);
  }

  #readNumber(token: NumberToken, at: number): void {
    const slot = this.#slot;
    const { marks, next } = afterMarks(this.#tokens, at);
    const unit = next?.kind === 'word' && /^-?$/.test(marks) ? next.meaning : null;
    if (marks.startsWith('%')) this.#readPercent(token);
    else if (slot && !this.#continues(slot, at)) throw strayNumber(token);
    else if (unit === 'pips' || unit === 'points') this.#readDistance(token, unit);
    else if (!slot) throw strayNumber(token);
    else if (this.#isOrdinal(token, slot, marks, next)) this.#open('target', token, at, Number(token.text));
    else this.#add(slot, token, 'price');
  }

  /** Below the line of its label, a list of targets has nothing but its numbers: `20k traders trust us` is not a target. */
  #continues({ field, between }: Slot, at: number): boolean {
    return field !== 'target' || !between.includes('\n') || isListLine(this.#tokens, at);
  }

  #readPercent(token: NumberToken): void {
    const last = this.#valueOnLine('target');
    if (!last || last.percent)
      throw new UnclearText('percent', `${token.text} % is not a price. Write each level as a price.`, token);
    last.percent = { text: token.text, place: token };
  }

  #readDistance(token: NumberToken, unit: 'pips' | 'points'): void {
    const slot = this.#slot;
    if (slot?.values === 0 && slot.field !== 'entry') {
      this.#add(slot, token, unit);
      return;
    }
    const last = slot && slot.field !== 'entry' ? this.#valueOnLine(slot.field) : null;
    if (last?.unit !== 'price' || last.distance) throw strayNumber(token);
    last.distance = { text: token.text, place: token };
  }

  #add(slot: Slot, token: NumberToken, unit: Unit): void {
    const { field, between } = slot;
    const last = slot.values > 0 ? this.#last(field) : null;
    if (last && !between.includes('\n')) this.#checkSeparator(slot, token);
    const afterSpace = last !== null && between === '';
    slot.values++;
    slot.between = '';
    if (field !== 'target' && last) {
      if (!afterSpace || !/^\d{3}(?:[.,]\d+)?$/.test(token.text)) throw secondPrice(field, token);
      last.text += ` ${token.text}`;
      last.to = token.to;
      return;
    }
    const value: ReadNumber = { text: token.text, unit, afterSpace, from: token.from, to: token.to };
    if (field === 'entry') this.#entries.push(value);
    else if (field === 'stop') this.#stops.push(value);
    else this.#targets.push({ ordinal: last ? null : slot.ordinal, value, isOpen: false, place: value });
  }

  /** Two numbers after a label: a range, or a list of targets. */
  #checkSeparator(slot: Slot, { from, to }: Place): void {
    if (!RANGE.test(slot.between)) return;
    if (slot.field === 'entry')
      throw new UnclearText('entry_range', 'The entry is a range. Write one price.', { from, to });
    if (slot.field === 'stop' || slot.between.includes('to')) throw priceRange({ from, to });
    if (/[-~]/.test(slot.between)) slot.dashed ??= { from, to };
  }

  #open(field: Field, { from, to }: Place, at: number, ordinal: number | null = null): void {
    // The number of a target belongs to the label before it.
    const isPart = ordinal !== null && this.#slot?.values === 0;
    const isBulleted = isPart ? this.#slot!.isBulleted : this.#isTickBefore(at);
    const label = isPart ? { from: this.#slot!.label.from, to } : { from, to };
    if (isPart) this.#slot = null;
    this.#close();
    this.#slot = { field, label, ordinal, isBulleted, values: 0, between: '', isOpen: false, dashed: null };
  }

  /** A numbered target without a price is remembered. A label without a number may be a heading. */
  #close(): void {
    const slot = this.#slot;
    this.#slot = null;
    if (slot?.dashed && slot.values === 2) throw priceRange(slot.dashed);
    if (slot?.field !== 'target' || slot.values > 0) return;
    if (slot.isOpen || slot.ordinal !== null)
      this.#targets.push({ ordinal: slot.ordinal, value: null, isOpen: slot.isOpen, place: slot.label });
  }

  #setOrder(kind: 'limit' | 'stop', { from, to }: Place, at: number): void {
    if (this.#order && this.#order.kind !== kind)
      throw new UnclearText('order_type', 'A limit order and a stop order are named. Write one of them.', { from, to });
    this.#order ??= { kind, from, to };
    if (this.#slot?.field !== 'entry') this.#open('entry', { from, to }, at);
  }

  #isTickBefore(at: number): boolean {
    for (let before = at - 1; ; before--) {
      const token = this.#tokens[before];
      if (token?.kind !== 'mark') return false;
      if (TICK.test(token.text)) return true;
    }
  }

  /** `TP 1: 1920`, and `2) 1930` in a list of targets. */
  #isOrdinal({ text }: NumberToken, slot: Slot, marks: string, next: Token | undefined): boolean {
    if (slot.field !== 'target' || !/^[1-9]$/.test(text)) return false;
    if (slot.values > 0)
      return (
        next?.kind === 'number' && (marks.startsWith(')') || (/^[.:=-]/.test(marks) && slot.between.includes('\n')))
      );
    return slot.ordinal === null;
  }

  #valueOnLine(field: Field): ReadNumber | null {
    const slot = this.#slot;
    return slot?.field === field && slot.values > 0 && !slot.between.includes('\n') ? this.#last(field) : null;
  }

  #last(field: Field): ReadNumber | null {
    if (field === 'target') return this.#targets.at(-1)?.value ?? null;
    return (field === 'entry' ? this.#entries : this.#stops).at(-1) ?? null;
  }
}

const priceRange = (place: Place): UnclearText =>
  new UnclearText('price_range', 'This is a range of prices. Write one price for each level.', place);

const strayNumber = ({ text, from, to }: NumberToken): UnclearText =>
  new UnclearText('stray_number', `Nothing says what ${text} is. Label each price: entry, SL or TP.`, { from, to });

const secondPrice = (field: Field, { text, from, to }: NumberToken): UnclearText =>
  field === 'entry'
    ? new UnclearText('two_entries', `${text} is a second entry. A signal has one entry price.`, { from, to })
    : new UnclearText('two_stops', `${text} is a second stop. A signal has one stop loss.`, { from, to });
