// The targets of a new signal: one price, or up to five with the part of the position that exits at each.
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/form.tsx';
import { MOST_TARGETS, partOf } from './publish-draft.ts';
import { type TicketCheck, ticketLabel } from './ticket.ts';

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
            <div key={count}>{input(`fraction_${number}`, `Share ${number} in %`, partOf(number, count))}</div>
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
