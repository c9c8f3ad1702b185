// A button that runs a script; the one that submits a form belongs to the form.
import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  /** The look, by its class in the style sheet. */
  readonly tone?: 'plain' | 'quiet' | 'primary' | 'danger' | 'linklike' | 'timeframe';
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

export function Button({ tone = 'plain', disabled = false, onClick, children }: ButtonProps) {
  return (
    <button type="button" class={tone} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}

export interface ToggleProps {
  readonly pressed: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that stays pressed. */
export function Toggle({ pressed, onClick, children }: ToggleProps) {
  return (
    <button type="button" class="timeframe" aria-pressed={pressed} onClick={onClick}>
      {children}
    </button>
  );
}

export interface ChoiceBarProps<T> {
  /** Read out as the name of the group. */
  readonly label: string;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Buttons of which one is pressed, such as the period of a chart. */
export function ChoiceBar<T>({ label, choices, value, onChange }: ChoiceBarProps<T>) {
  return (
    <fieldset class="timeframes" aria-label={label}>
      {choices.map(([each, text]) => (
        <Toggle key={text} pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </Toggle>
      ))}
    </fieldset>
  );
}

/**
 * A link from a help text to the page of the guide that explains what is shown: `/guide/alerts#channels`. It opens in another tab, so
 * that forms keep what was typed.
 */
export const GuideLink = ({ href, children }: { readonly href: string; readonly children: ComponentChildren }) => (
  <a class="inline-link" href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);
