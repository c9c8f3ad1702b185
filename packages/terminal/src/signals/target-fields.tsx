// The targets of a new signal: one price, or up to five with the part of the position that exits at each.
import { Button } from '../ui/button.tsx';
import { type FormValues, SelectField, TextField } from '../ui/form.tsx';
import { MOST_TARGETS } from './publish-draft.ts';
import { parseFraction, parsePrice, type TicketCheck, type TicketTarget, ticketLabel } from './ticket.ts';

/** The targets in the form. A single one is the whole position. */
export function targetsIn(values: FormValues, count: number): readonly TicketTarget[] {
  return Array.from({ length: count }, (_, index) => ({
    price: parsePrice(values.text(`target_${index + 1}`)),
    fraction: count === 1 ? 1 : parseFraction(values.text(`fraction_${index + 1}`)),
  }));
}

/** Equal parts in whole percent; the last one takes what is left: 33, 33, 34. */
const partOf = (number: number, count: number): string => {
  const part = Math.floor(100 / count);
  return String(number === count ? 100 - part * (count - 1) : part);
};

interface Props {
  readonly count: number;
  readonly problems: TicketCheck['problems'];
  /** What a field starts with; '' for its default. */
  readonly startOf: (name: string) => string;
  readonly onCount: (count: number) => void;
}

export function TargetFields({ count, problems, startOf, onCount }: Props) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const input = (name: `target_${number}` | `fraction_${number}`, label: string, value = '') => (
    <TextField
      name={name}
      label={label}
      problem={problems.get(name) ?? ''}
      mono
      inputMode="decimal"
      value={startOf(name) || value}
    />
  );
  return (
    <fieldset class="targets">
      <legend class="unseen">Targets</legend>
      {numbers.map((number) => (
        <div key={number} class="target-row">
          {input(`target_${number}`, ticketLabel(`target_${number}`, count))}
          {/* The key gives every part its default again when a target is added. */}
          {count > 1 && (
            <div key={count}>{input(`fraction_${number}`, `Part ${number} in %`, partOf(number, count))}</div>
          )}
        </div>
      ))}
      {count > 1 && (
        <SelectField
          key={count}
          name="breakeven_after"
          label="Breakeven"
          value={startOf('breakeven_after')}
          hint="Moves the stop to the entry after a target."
          choices={[
            { value: '', text: 'never' },
            ...numbers.slice(0, -1).map((number) => ({ value: String(number), text: `after target ${number}` })),
          ]}
        />
      )}
      <div class="actions">
        {count < MOST_TARGETS && <Button onClick={() => onCount(count + 1)}>Add a target</Button>}
        {count > 1 && <Button onClick={() => onCount(count - 1)}>Remove the last target</Button>}
      </div>
    </fieldset>
  );
}
