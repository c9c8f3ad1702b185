// The text form of an indicator, the same in REST, on the stream and wherever else one is named: `rsi`, `rsi(14)`,
// `macd(12,26,9)`, `bollinger(20,2,hlc3)`, `rsi(source=hl2)`, `vwap(week)`, `vwap(2026-03-02T13:30:00Z)`.
// Inputs are given in the order of the catalogue or by name; the others have their defaults.

import { iso } from '../common/iso-time.ts';
import { oneOf, parseInstant } from '../common/values.ts';
import {
  INDICATOR_CATALOGUE,
  type IndicatorEntry,
  type IndicatorInput,
  type IndicatorName,
} from './indicator-catalogue.ts';

/** Values of the inputs by name. Every input of the indicator is present. An anchor at a time is in epoch milliseconds. */
export type InputValues = Readonly<Record<string, number | string>>;

/** An indicator with its inputs. */
export interface IndicatorSpec {
  readonly name: IndicatorName;
  readonly inputs: InputValues;
  /** The one text of these inputs: `rsi` and `RSI(14)` are `rsi(14)`. */
  readonly text: string;
}

/** What is wrong with the text of an indicator. */
export class IndicatorFault extends Error {
  override readonly name = 'IndicatorFault';
  /** The input it is about; `name` for the name, `indicators` for the form of the text. */
  readonly input: string;
  /** The allowed values in words. */
  readonly allowed: string;
  readonly value: string;

  constructor(input: string, value: string, allowed: string, message = `${input} must be ${allowed}`) {
    super(message);
    this.input = input;
    this.value = value;
    this.allowed = allowed;
  }
}

export const MAX_INDICATOR_TEXT = 128;

const ENTRIES = new Map<string, IndicatorEntry>();
for (const entry of INDICATOR_CATALOGUE as readonly IndicatorEntry[])
  for (const name of [entry.name, ...(entry.aliases ?? [])]) ENTRIES.set(name, entry);

const NAMES_ALLOWED = oneOf(INDICATOR_CATALOGUE.map(({ name }) => name));
const FORM = 'a name with inputs in parentheses, such as rsi(14), macd(12,26,9) or vwap(anchor=week)';

/** Throws an `IndicatorFault`. */
export function parseIndicator(text: string): IndicatorSpec {
  const match = text.length <= MAX_INDICATOR_TEXT && /^\s*(\w+)\s*(?:\(([^()]*)\))?\s*$/.exec(text);
  if (!match)
    throw new IndicatorFault('indicators', text.slice(0, MAX_INDICATOR_TEXT), FORM, `An indicator must be ${FORM}`);
  const [, name = '', list = ''] = match;
  const entry = entryOf(name);
  const given: Record<string, string> = Object.create(null);
  const parts = list.trim() === '' ? [] : list.split(',');
  for (const [at, part] of parts.entries()) {
    const named = /^\s*([a-z_]+)\s*=(.*)$/i.exec(part);
    const input = named ? named[1]!.toLowerCase() : entry.inputs[at]?.name;
    const value = (named ? named[2]! : part).trim();
    if (input === undefined) throw unknownInput(entry, `input ${at + 1}`, value);
    if (Object.hasOwn(given, input))
      throw new IndicatorFault(input, value, 'given only once', `${input} of ${entry.name} must be given only once`);
    given[input] = value;
  }
  return specOf(entry, given);
}

/** An indicator with its inputs as texts by name. Throws an `IndicatorFault`. */
export const indicatorOf = (name: string, inputs: Readonly<Record<string, string>>): IndicatorSpec =>
  specOf(entryOf(name.trim()), inputs);

/** Splits `rsi(14),macd(12,26,9)` at the commas outside parentheses. */
export function splitIndicators(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

/** The allowed values of an input in words. */
export function allowedOf(input: IndicatorInput): string {
  switch (input.kind) {
    case 'integer':
      return `an integer between ${input.least} and ${input.most}`;
    case 'number':
      return `a number between ${input.least} and ${input.most}`;
    case 'choice':
      return oneOf(input.choices);
    case 'anchor':
      return `${oneOf(input.choices)}, or an ISO 8601 time`;
  }
}

/** Inputs as they are in responses: a time as ISO 8601. */
export const wireInputs = (inputs: InputValues): Record<string, number | string> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      name === 'anchor' && typeof value === 'number' ? shortIso(value) : value,
    ]),
  );

function entryOf(name: string): IndicatorEntry {
  const entry = ENTRIES.get(name.toLowerCase());
  if (!entry) throw new IndicatorFault('name', name.slice(0, MAX_INDICATOR_TEXT), NAMES_ALLOWED);
  return entry;
}

function specOf(entry: IndicatorEntry, given: Readonly<Record<string, string>>): IndicatorSpec {
  for (const name of Object.keys(given))
    if (!entry.inputs.some((input) => input.name === name)) throw unknownInput(entry, name, given[name]!);
  const inputs: Record<string, number | string> = {};
  for (const input of entry.inputs) {
    const text = given[input.name];
    const value = text === undefined ? input.default : readInput(input, text);
    if (value === null) {
      const allowed = allowedOf(input);
      throw new IndicatorFault(input.name, text!, allowed, `${input.name} of ${entry.name} must be ${allowed}`);
    }
    inputs[input.name] = value;
  }
  return { name: entry.name as IndicatorName, inputs, text: textOf(entry, inputs) };
}

function readInput(input: IndicatorInput, text: string): number | string | null {
  if ('choices' in input) {
    const choice = input.choices.find((each) => each === text.toLowerCase());
    if (choice !== undefined || input.kind === 'choice') return choice ?? null;
    return parseInstant(text);
  }
  const pattern = input.kind === 'integer' ? /^\d{1,9}$/ : /^\d{1,9}(?:\.\d{1,6})?$/;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  return value >= input.least && value <= input.most ? value : null;
}

/** All inputs in their order; `source` is left out if it is the close. */
function textOf({ name, inputs }: IndicatorEntry, values: InputValues): string {
  const shown = inputs.filter((input) => input.name !== 'source' || values.source !== input.default);
  return `${name}(${shown.map((input) => wireInputs(values)[input.name]).join(',')})`;
}

const shortIso = (time: number): string => iso(time).replace('.000Z', 'Z');

function unknownInput(entry: IndicatorEntry, input: string, value: string): IndicatorFault {
  const names = entry.inputs.map(({ name }) => name).join(', ');
  return new IndicatorFault(input, value, names, `${entry.name} has no ${input}; its inputs are ${names}`);
}
