// Colours of lines beside those of the theme, visible on light and dark ground.
export const LINE_COLORS = {
  violet: '#a06cf0',
  teal: '#12948a',
  pink: '#d6498f',
  orange: '#c2700c',
  azure: '#4a7fe0',
  olive: '#7a8f1a',
} as const;
