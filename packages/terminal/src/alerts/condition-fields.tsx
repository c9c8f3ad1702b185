// One condition in the form: its kind and the fields of that kind.
import { Button } from '../ui/button.tsx';
import { Check, SelectField, TextField } from '../ui/form.tsx';
import type { ConditionField, ConditionTexts } from './condition-field.ts';
import { CONDITION_KINDS, CONDITION_TYPES, type ConditionType } from './condition-kinds.ts';
import { fieldName } from './read-condition.ts';

interface Props {
  /** Position among the conditions, from 0. */
  readonly at: number;
  readonly type: ConditionType;
  /** What the fields contain at first. */
  readonly texts: ConditionTexts;
  readonly problems: ReadonlyMap<string, string>;
  readonly onType: (type: ConditionType) => void;
  /** `null` if it is the only condition. */
  readonly onRemove: (() => void) | null;
}

export function ConditionFields({ at, type, texts, problems, onType, onRemove }: Props) {
  return (
    <fieldset class="condition">
      <legend>{at === 0 ? 'Condition' : 'And at the same time'}</legend>
      <SelectField
        name={at === 0 ? 'condition' : fieldName(at, 'type')}
        label="When"
        choices={CONDITION_TYPES.map((value) => ({ value, text: CONDITION_KINDS[value].label }))}
        value={type}
        onChange={onType}
      />
      <div class="condition-fields" key={type}>
        {CONDITION_KINDS[type].fields.map((field) => (
          <OneField key={field.name} field={field} at={at} given={texts[field.name]} problems={problems} />
        ))}
      </div>
      {onRemove && (
        <Button tone="linklike" onClick={onRemove}>
          Remove this condition
        </Button>
      )}
    </fieldset>
  );
}

interface OneFieldProps extends Pick<Props, 'at' | 'problems'> {
  readonly field: ConditionField;
  readonly given: string | readonly string[] | undefined;
}

function OneField({ field, at, given, problems }: OneFieldProps) {
  const { label, hint, kind, choices = [], value = '', optional = false } = field;
  const name = fieldName(at, field.name);
  const common = { name, label, problem: problems.get(name) ?? '', ...(hint !== undefined && { hint }) };
  const text = typeof given === 'string' ? given : value;
  if (kind === 'choice') return <SelectField {...common} choices={choices} value={text} />;
  if (kind === 'several')
    return (
      <fieldset class="scopes">
        <legend>{label}</legend>
        {choices.map((choice) => (
          <Check key={choice.value} name={name} value={choice.value} checked={given?.includes(choice.value) ?? true}>
            {choice.text}
          </Check>
        ))}
        <p class="problem">{common.problem}</p>
      </fieldset>
    );
  const numeric = kind === 'number';
  return (
    <TextField {...common} mono={numeric} inputMode={numeric ? 'decimal' : 'text'} optional={optional} value={text} />
  );
}
