import { domainToASCII, domainToUnicode } from 'node:url'

const email = /^[^\s@"(),:;<>[\\\]]+@[^\s@.,"(),:;<>[\\\]]+(\.[^\s@.,"(),:;<>[\\\]]+)+$/

export const isEmail = (text: string): boolean => text.length <= 254 && email.test(text)

/** The part after the last @, or the whole text if there is no @. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Only international domains have a second spelling. Others are left alone: the domain `1.2` would be read as an IP address. */
const isInternational = (domain: string): boolean => /[^\0-\x7f]|(?:^|\.)xn--/.test(domain)

/** One spelling for each mailbox: lower case, Unicode NFC, and the domain in Unicode instead of Punycode. */
export function foldEmail(address: string): string {
  const [name, domain] = splitAddress(address.toLowerCase().normalize('NFC'))
  return name + (isInternational(domain) ? domainToUnicode(domain) || domain : domain)
}

function splitAddress(address: string): [name: string, domain: string] {
  const at = address.lastIndexOf('@') + 1
  return [address.slice(0, at), address.slice(at)]
}

/**
 * The spellings in which this mailbox may be stored, beginning with the one that was sent. Earlier versions, and processes that
 * still run them, only convert to lower case.
 */
export function listSpellings(address: string): string[] {
  const [name, domain] = splitAddress(foldEmail(address))
  const domains = [
    domain,
    domain.normalize('NFD'),
    ...(isInternational(domain) ? [domainToASCII(domain)] : []),
  ]
  const names = [name, name.normalize('NFD')]
  return [
    ...new Set([
      address.toLowerCase(),
      ...domains.filter(Boolean).flatMap(after => names.map(before => before + after)),
    ]),
  ]
}
