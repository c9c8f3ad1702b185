// Headlines by day, newest first. What is there stays the same element, so that focus, selection and the place in the list are
// kept whatever is added around it.
import type { NewsDetail } from '@tickwire/client';
import { make, write } from '../elements.ts';
import { dayOf, zoned } from '../moments.ts';
import { newsItem } from './news-item.ts';

const weekdayOf = zoned({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const DAY_MS = 86_400_000;

interface Day {
  readonly element: HTMLElement;
  readonly head: HTMLElement;
  readonly list: HTMLOListElement;
}

export class DayList {
  readonly element = make('div', 'news-days');
  readonly #days = new Map<string, Day>();
  readonly #lines = new Map<string, { item: NewsDetail; line: HTMLLIElement }>();

  /** Makes the lines anew, as when the time zone has changed. */
  forget(): void {
    this.#days.clear();
    this.#lines.clear();
    this.element.replaceChildren();
  }

  show(items: readonly NewsDetail[]): void {
    const byDay = Map.groupBy(items, ({ timestamp }) => dayOf(Date.parse(timestamp)));
    const kept = new Set(items.map(({ id }) => id));
    for (const id of this.#lines.keys()) if (!kept.has(id)) this.#lines.delete(id);
    const days: HTMLElement[] = [];
    for (const [name, ofDay] of byDay) {
      const day = this.#day(name);
      write(day.head, headOf(Date.parse(ofDay[0]!.timestamp), name));
      arrange(
        day.list,
        ofDay.map((item) => this.#line(item)),
      );
      days.push(day.element);
    }
    for (const name of this.#days.keys()) if (!byDay.has(name)) this.#days.delete(name);
    arrange(this.element, days);
  }

  #day(name: string): Day {
    let day = this.#days.get(name);
    if (!day) {
      const head = make('h2', 'news-day');
      const list = make('ol', 'news-items');
      const element = make('section', 'news-of-day');
      element.append(head, list);
      day = { element, head, list };
      this.#days.set(name, day);
    }
    return day;
  }

  #line(item: NewsDetail): HTMLLIElement {
    const known = this.#lines.get(item.id);
    if (known && known.item === item) return known.line;
    const line = newsItem(item);
    if (known) known.line.replaceWith(line);
    this.#lines.set(item.id, { item, line });
    return line;
  }
}

function headOf(time: number, name: string): string {
  const now = Date.now();
  if (name === dayOf(now)) return 'Today';
  return name === dayOf(now - DAY_MS) ? 'Yesterday' : weekdayOf(time);
}

/** Brings the children into this order, and moves none that stands right already. */
function arrange(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  const keep = new Set<Element>(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}
