// Errors about news.
import { entry } from '../common/errors.ts';

export const NEWS_ERRORS = {
  news_not_found: entry(
    { status: 404 },
    'News item not found',
    'There is no news item with this id, or it is older than the service keeps items.',
  ),
};
