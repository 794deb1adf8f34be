import type { Config } from '../core/config/config.ts'
import { propertyOf } from '../core/objects.ts'

type Claims = Record<string, unknown>

/** The claim with this name. A dot refers to a nested claim, unless a claim has the whole name. */
export function readOidcClaim(claims: Claims, name: string): unknown {
  if (name in claims) return claims[name]
  return name.split('.').reduce<unknown>((inner, part) => propertyOf(inner, part), claims)
}

/** The person's groups that OIDC_GROUPS lists; null if it is not set. */
export function groupsOf(
  claims: Claims,
  { oidcGroups, oidcGroupsClaim }: Pick<Config, 'oidcGroups' | 'oidcGroupsClaim'>,
): string[] | null {
  if (oidcGroups.length === 0) return null
  const named = new Set(oidcGroups.map(({ group }) => group))
  return [readOidcClaim(claims, oidcGroupsClaim)]
    .flat()
    .flatMap(one => (typeof one === 'string' && named.has(one) ? [one] : []))
}
