// The form for the inputs and colours of one indicator, with the limits of the catalogue.
import type { IndicatorDescription, IndicatorInputDescription } from '@tickwire/client';
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { type IndicatorChoice, indicatorText, shortTitle } from './indicator-choice.ts';
import { lineColor, lineKind, lineName } from './indicator-style.ts';
import { readInput } from './read-input.ts';

export interface IndicatorEditorOptions {
  readonly choice: IndicatorChoice;
  readonly entry: IndicatorDescription;
  readonly onSave: (choice: IndicatorChoice) => void;
  readonly onCancel: () => void;
}

interface InputField {
  readonly input: IndicatorInputDescription;
  readonly element: HTMLElement;
  readonly control: HTMLInputElement | HTMLSelectElement;
  readonly problem: HTMLElement;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');
let fields = 0;

export function indicatorEditor({ choice, entry, onSave, onCancel }: IndicatorEditorOptions): HTMLElement {
  const inputs = entry.inputs.map((input) => inputField(input, choice.inputs[input.name] ?? input.default));
  const colors = choice.lines
    .filter((line) => lineKind(choice, line) !== 'hidden')
    .map((line) => {
      const shown = lineColor(choice, line);
      const control = make('input', { type: 'color', value: shown });
      const name = lineName(line);
      return {
        line,
        shown,
        control,
        element: make('label', 'indicator-color line', control, name === '' ? 'Colour' : name),
      };
    });
  const save = (): void => {
    const read = inputs.map((field) => ({ field, result: readInput(field.input, field.control.value) }));
    for (const { field, result } of read) {
      const problem = 'problem' in result ? result.problem : '';
      write(field.problem, problem);
      field.control.setAttribute('aria-invalid', String(problem !== ''));
    }
    const wrong = read.find(({ result }) => 'problem' in result);
    if (wrong) {
      wrong.field.control.focus();
      return;
    }
    const values = Object.fromEntries(
      read.flatMap(({ field, result }) => ('value' in result ? [[field.input.name, result.value]] : [])),
    );
    // A colour that was not touched stays the theme's.
    const chosen = colors.filter(
      ({ line, shown, control }) => choice.colors[line] !== undefined || control.value !== shown,
    );
    onSave({
      ...choice,
      inputs: values,
      indicator: indicatorText(entry, values),
      colors: Object.fromEntries(chosen.map(({ line, control }) => [line, control.value])),
    });
  };
  const form = make(
    'form',
    { class: 'indicator-editor', 'aria-label': shortTitle(choice), novalidate: '' },
    make('h3', 'indicator-editor-title', entry.title),
    make('p', 'indicator-about muted tiny', entry.formula),
    ...inputs.map(({ element }) => element),
    make('div', 'indicator-colors', ...colors.map(({ element }) => element)),
    make(
      'div',
      'indicator-actions',
      make('button', { type: 'submit', class: 'button' }, 'Apply'),
      makeButton('Cancel', 'linklike', onCancel),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save();
  });
  return form;
}

function inputField(input: IndicatorInputDescription, value: number | string): InputField {
  const id = `indicator-input-${++fields}`;
  const problem = make('span', { class: 'indicator-problem tiny', id: `${id}-problem`, role: 'alert' });
  const described = { id, 'aria-describedby': `${id}-problem` };
  const control = controlOf(input, String(value), described);
  const element = make(
    'div',
    'indicator-field',
    make('label', { for: id, title: input.description.replaceAll('`', '') }, capital(input.name)),
    control,
    problem,
  );
  return { input, element, control, problem };
}

function controlOf(
  { type, choices = [], minimum, maximum }: IndicatorInputDescription,
  value: string,
  described: Readonly<Record<string, string>>,
): HTMLInputElement | HTMLSelectElement {
  if (type === 'choice' || (type === 'anchor' && choices.includes(value))) {
    const select = make('select', described, ...choices.map((each) => make('option', { value: each }, each)));
    select.value = value;
    return select;
  }
  const limits = { min: minimum ?? '', max: maximum ?? '', step: type === 'integer' ? 1 : 'any' };
  const numeric = type === 'integer' || type === 'number';
  return make('input', { ...described, ...(numeric ? { type: 'number', ...limits } : { type: 'text' }), value });
}
