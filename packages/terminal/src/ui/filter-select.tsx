// A choice of one value, or of all, that narrows a list.

export interface FilterSelectProps {
  /** Its accessible name. */
  readonly label: string;
  /** The entry for no filter. */
  readonly all: string;
  readonly values: readonly string[];
  /** '' for all. */
  readonly value: string;
  readonly textOf?: (value: string) => string;
  readonly class?: 'pick' | 'news-select';
  readonly onChange: (value: string) => void;
}

export function FilterSelect({ label, all, values, value, textOf, onChange, ...look }: FilterSelectProps) {
  const known = values.find((each) => each.toLowerCase() === value.toLowerCase());
  return (
    <select
      class={`filter ${look.class ?? 'pick'}`}
      aria-label={label}
      data-chosen={value !== ''}
      value={known ?? value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{all}</option>
      {/* A value of the address is shown even if it is not offered. */}
      {(value === '' || known !== undefined ? values : [...values, value]).map((each) => (
        <option key={each} value={each}>
          {textOf?.(each) ?? each}
        </option>
      ))}
    </select>
  );
}
