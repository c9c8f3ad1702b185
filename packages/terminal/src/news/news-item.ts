// A headline with what is known of it, as one line of a list.
import type { NewsDetail } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { box, link, make } from '../elements.ts';
import { exactly, zoned } from '../moments.ts';
import { capital, outsideAddress, sentimentChip, sourcesText } from './words.ts';

const hourOf = zoned({ hour: '2-digit', minute: '2-digit' });

/** Times in the zone of the preferences: made again when that changes. */
export function newsItem(item: NewsDetail): HTMLLIElement {
  const facts = [
    sentimentChip(item),
    make('span', 'chip', capital(item.category)),
    make('span', 'news-source', item.source),
    ...(item.cluster > 1 ? [sources(item.cluster)] : []),
    ...(item.revision > 0 ? [revision(item.revision)] : []),
    ...item.symbols.map((symbol) => link(symbol, pathOf('markets', symbol), 'news-symbol')),
  ];
  const text = box('div', 'news-text', headline(item), box('div', 'news-facts', ...facts));
  return box('li', 'news-item', published(item), text);
}

/** To the original where it has an address. */
export function headline({ title, url }: NewsDetail): HTMLElement {
  const address = outsideAddress(url);
  if (address === null) return make('span', 'news-title', title);
  const made = link(title, address, 'news-title');
  made.target = '_blank';
  made.rel = 'noopener noreferrer';
  return made;
}

export function published({ timestamp }: NewsDetail): HTMLElement {
  const time = Date.parse(timestamp);
  const made = make('time', 'news-time', hourOf(time));
  made.dateTime = timestamp;
  made.title = exactly(time);
  return made;
}

function sources(cluster: number): HTMLElement {
  const made = make('span', 'news-mark', sourcesText(cluster));
  made.title = `${cluster} sources had this news; the first is shown`;
  return made;
}

function revision(times: number): HTMLElement {
  const made = make('span', 'news-mark', times === 1 ? 'updated' : `updated ${times}×`);
  made.title = 'The headline was updated by its source';
  return made;
}
