import { foldEmail, isEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'

/** Patterns of sender rules: an address, or a domain with its subdomains. */

const domainCharacters = /^[\p{L}\p{M}\p{N}._-]+$/u

/** The pattern in the spelling that is stored. `@example.com` and `example.com.` mean `example.com`. */
export function readSenderPattern(text: string): string {
  const pattern = foldEmail(text.trim().replace(/^@/, '').replace(/\.$/, ''))
  const isDomain = domainCharacters.test(pattern) && isEmail(`someone@${pattern}`)
  if (!isEmail(pattern) && !isDomain) throw refuse('pattern', 'not_a_sender')
  return pattern
}

/** All patterns that match an address, the most specific first: the address, its domain, and the domains above it. */
export function listMatchingPatterns(address: string): string[] {
  const folded = foldEmail(address)
  const labels = folded.slice(folded.lastIndexOf('@') + 1).split('.')
  return [folded, ...labels.map((_, at) => labels.slice(at).join('.'))]
}
