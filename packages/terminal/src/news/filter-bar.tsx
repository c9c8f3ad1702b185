// The filters of the news: categories (several), sentiment, instrument, words.
import type { Instrument } from '@tickwire/client';
import { useEffect, useRef } from 'preact/hooks';
import { Button, Toggle } from '../ui/button.tsx';
import { FilterSelect } from '../ui/filter-select.tsx';
import { ARROW, capital, LABEL } from './labels.ts';
import {
  ALL_NEWS,
  CATEGORIES,
  isNarrow,
  MAX_WORDS_LENGTH,
  type NewsPageFilter,
  SENTIMENTS,
  toggleCategory,
} from './news-filter.ts';

export interface FilterBarProps {
  readonly instruments: readonly Instrument[];
  readonly filter: NewsPageFilter;
  readonly onChange: (filter: NewsPageFilter) => void;
}

export function FilterBar({ instruments, filter, onChange }: FilterBarProps) {
  const change = (changes: Partial<NewsPageFilter>): void => onChange({ ...filter, ...changes });
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Spaces that were typed at the end are not in the filter.
    if (search.current && search.current.value.trim() !== filter.words.trim()) search.current.value = filter.words;
  }, [filter.words]);
  return (
    <div class="news-filters line">
      <fieldset class="timeframes" aria-label="Categories">
        <Toggle pressed={filter.categories.length === 0} onClick={() => change({ categories: [] })}>
          All
        </Toggle>
        {CATEGORIES.map((category) => (
          <Toggle
            key={category}
            pressed={filter.categories.includes(category)}
            onClick={() => change({ categories: toggleCategory(filter, category) })}
          >
            {capital(category)}
          </Toggle>
        ))}
      </fieldset>
      <fieldset class="timeframes" aria-label="Sentiment">
        {SENTIMENTS.map((sentiment) => (
          <Toggle
            key={sentiment}
            pressed={filter.sentiment === sentiment}
            onClick={() => change({ sentiment: filter.sentiment === sentiment ? null : sentiment })}
          >
            <span class={`arrow ${sentiment}`} aria-hidden="true">{`${ARROW[sentiment]} `}</span>
            {LABEL[sentiment]}
          </Toggle>
        ))}
      </fieldset>
      <FilterSelect
        label="Instrument"
        all="All instruments"
        class="news-select"
        values={instruments.map(({ symbol }) => symbol)}
        value={filter.symbol ?? ''}
        onChange={(symbol) => change({ symbol: symbol || null })}
      />
      <input
        class="filter news-search"
        type="search"
        placeholder="Search headlines"
        aria-label="Search loaded headlines"
        maxLength={MAX_WORDS_LENGTH}
        ref={search}
        onInput={({ currentTarget }) => change({ words: currentTarget.value })}
      />
      {isNarrow(filter) && (
        <Button tone="linklike" onClick={() => onChange(ALL_NEWS)}>
          Clear
        </Button>
      )}
    </div>
  );
}
