import { Resolver } from 'node:dns/promises'
import { codeOf } from '../core/thrown.ts'

/** Looks up DNS records for email. */

export type Dns = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6' | 'resolveSrv' | 'resolveTxt'>

export const createDns = (): Dns => new Resolver({ timeout: 2_000, tries: 1 })

/** The TXT records that match `prefix`. Null if the look-up failed; empty if the name does not exist. */
export async function findTexts(dns: Dns, name: string, prefix: RegExp): Promise<string[] | null> {
  try {
    return (await dns.resolveTxt(name)).map(parts => parts.join('')).filter(text => prefix.test(text))
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error)) ? [] : null
  }
}
