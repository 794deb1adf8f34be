import type { CleanedWhere, CustomAdapter } from 'better-auth/adapters'
import { sha256 } from '../core/crypto.ts'
import { propertyOf } from '../core/objects.ts'

/** better-auth stores session tokens as they are. Here they are replaced by hashes on the way to the database. */

const table = 'user_sessions'

type Row = Record<string, unknown>
interface Given {
  model: string
  where?: CleanedWhere[]
  data?: Row
}

export const hashToken = (token: unknown): string => sha256(String(token)).toString('base64url')

/** Remembers the tokens with which better-auth queries, to put them back into the results. In other rows it sees the hash. */
class Tokens {
  readonly #known = new Map<string, unknown>()

  hide(token: unknown): string {
    const hidden = hashToken(token)
    this.#known.set(hidden, token)
    return hidden
  }

  show<T>(found: T): T {
    if (Array.isArray(found)) return found.map(row => this.show(row)) as T
    const token = propertyOf(found, 'token')
    return typeof token === 'string' ? { ...found, token: this.#known.get(token) ?? token } : found
  }
}

const hideIn = (tokens: Tokens, { where, data, ...rest }: Given): Given => ({
  ...rest,
  ...(data && { data: { ...data, ...('token' in data && { token: tokens.hide(data.token) }) } }),
  ...(where && {
    where: where.map(one => {
      if (one.field !== 'token') return one
      const { value } = one
      return {
        ...one,
        value: Array.isArray(value) ? value.map(token => tokens.hide(token)) : tokens.hide(value),
      }
    }),
  }),
})

type Act = (given: Given) => Promise<unknown>

export const hashTokens = (adapter: CustomAdapter): CustomAdapter =>
  Object.fromEntries(
    Object.entries(adapter).map(([name, act]) => [
      name,
      async (given: Given) => {
        if (given.model !== table) return (act as Act)(given)
        const tokens = new Tokens()
        return tokens.show(await (act as Act)(hideIn(tokens, given)))
      },
    ]),
  ) as unknown as CustomAdapter
