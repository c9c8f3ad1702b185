// Errors about news.
import { entry, errorEntries } from '../common/errors.ts';

export const NEWS_ERRORS = errorEntries({
  news_not_found: entry(
    { status: 404 },
    'News item not found',
    'There is no news item with this id, or it is older than the service keeps items.',
  ),
});
