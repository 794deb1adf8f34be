export const listNames = (names: string[]): string =>
  new Intl.ListFormat(document.documentElement.lang).format(names)
