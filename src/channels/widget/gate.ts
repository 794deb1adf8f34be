import type { Call } from '../../core/endpoint.ts'

export const visitorOf = (_: unknown): any => null
/** Who asks: the gate has let in nobody without a token. */
export const asked = (call: Call) => visitorOf(call.request)!
