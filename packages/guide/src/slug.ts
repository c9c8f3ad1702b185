// Anchors of headings, as code forges make them, so that one link works there and on the site.

/** The anchor of a heading, given as plain text. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
