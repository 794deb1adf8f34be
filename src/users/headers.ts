import type { FastifyRequest } from 'fastify'
import { bucketOf } from '../limits/address.ts'

/** The header in which better-auth finds the client's address. The server itself sets it. */
export const addressHeader = 'x-deskbell-address'

/** The headers for better-auth, with the client's real address instead of what the client claims. */
export function headersOf({ headers: given, ip }: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value].flat())
      if (one !== undefined && !name.startsWith(':')) headers.append(name, one)
  }
  headers.set(addressHeader, bucketOf(ip))
  return headers
}
