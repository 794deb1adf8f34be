type Search = Record<string, unknown>

const textIn = <Name extends string>(search: Search, name: Name): { [key in Name]?: string } =>
  typeof search[name] === 'string' ? ({ [name]: search[name] } as { [key in Name]: string }) : {}

/** What the address of the sign-in page can contain. */
export const readSignInSearch = (search: Search): { next?: string; error?: string; step?: string } => ({
  ...textIn(search, 'next'),
  ...textIn(search, 'error'),
  ...textIn(search, 'step'),
})

/** What the address of a link can contain. */
export const readLinkSearch = (search: Search): { join?: boolean; error?: string } => ({
  ...(search.join === true && { join: true }),
  ...textIn(search, 'error'),
})
