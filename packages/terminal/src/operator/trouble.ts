// What went wrong last, in one line below the name; the whole of it is a hover away.
import { make } from '../elements.ts';

export function trouble(text: string): HTMLElement {
  const made = make('span', 'trouble', text);
  made.title = text;
  return made;
}
