// Imports of files that are not code: `with { type: 'file' }` gives a path, `with { type: 'text' }` the content.
declare module '*.bin' {
  const path: string;
  export = path;
}

declare module '*.md' {
  const text: string;
  export = text;
}
