/** Whether a page is one of those that a rule names. Used by the server and in browsers, so nothing here depends on Node.js. */

export interface PageRule {
  match: 'contains' | 'begins_with'
  address: string
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\/(www\.)?/, '')

/** Ignores upper and lower case. The beginning may be a whole address, one without `https://`, or a path. */
export function isPageOf({ match, address }: PageRule, pageUrl: string): boolean {
  const page = pageUrl.toLowerCase()
  const wanted = address.trim().toLowerCase()
  if (match === 'contains') return page.includes(wanted)
  const whole = withoutScheme(page)
  const path = whole.slice(`${whole}/`.indexOf('/'))
  return wanted.startsWith('/') ? path.startsWith(wanted) : whole.startsWith(withoutScheme(wanted))
}
