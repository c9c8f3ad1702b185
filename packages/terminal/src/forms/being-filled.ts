// Whether somebody is at it: what has been typed or is about to be must not be exchanged below the hands.

export function isBeingFilled(part: HTMLElement): boolean {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && part.contains(activeElement) && activeElement.matches(FIELDS))
    return true;
  return [...part.querySelectorAll<HTMLInputElement>(TYPED)].some(({ value, defaultValue }) => value !== defaultValue);
}

const FIELDS = 'input, select, textarea';
const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea';
