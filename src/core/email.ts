import { domainToUnicode } from 'node:url'

const email = /^[^\s@"(),:;<>[\\\]]+@[^\s@.,"(),:;<>[\\\]]+(\.[^\s@.,"(),:;<>[\\\]]+)+$/

export const isEmail = (text: string): boolean => text.length <= 254 && email.test(text)

/** Only these have a second spelling; others would be read as IP addresses, such as the domain 1.2. */
const isInternational = (domain: string): boolean => /[^\0-\x7f]|(?:^|\.)xn--/.test(domain)

/** One spelling for each mailbox: small letters, composed, and the domain in the letters of its language. */
export function foldEmail(address: string): string {
  const folded = address.toLowerCase().normalize('NFC')
  const at = folded.lastIndexOf('@') + 1
  const domain = folded.slice(at)
  return isInternational(domain) ? folded.slice(0, at) + (domainToUnicode(domain) || domain) : folded
}
