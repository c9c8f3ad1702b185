// Replaced by `npm run pack`, so that packages and executables contain the built guide and not its sources.

/** The path of the file that `packGuide` made, or null in a checkout. */
export const builtGuide: string | null = null;
