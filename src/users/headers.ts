import type { FastifyRequest } from 'fastify'
import { bucketOf } from '../limits/address.ts'

/** Where the library finds the caller's address: a header that the server itself sets. */
export const addressHeader = 'x-deskbell-address'

/** The headers as the library reads them, with the caller's address in place of what the caller says of it. */
export function headersOf({ headers: given, ip }: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value].flat())
      if (one !== undefined && !name.startsWith(':')) headers.append(name, one)
  }
  headers.set(addressHeader, bucketOf(ip))
  return headers
}
