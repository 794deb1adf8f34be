import { UserError } from '../../core/user-error.ts'
import type { Hundredths } from '../money.ts'
import type { Payment } from '../payments.ts'

/** What somebody who pays is to do next. */
export interface Started {
  /** The gateway's own name for the order. */
  external_id: string | null
  /** Where to pay, in a browser. */
  url: string | null
  instructions: string | null
}

/**
 * A way by which money comes. What it reports later goes to `receivePayment` and `failPayment`; both verbs throw
 * `GatewayRefused` or `GatewaySilent`.
 */
export interface Gateway {
  name: string
  /** As events name it, until the gateway knows better. */
  method: string
  /** `back` is the page of ours that the payer comes back to; null where they came from elsewhere. */
  start(payment: Payment, back: string | null): Promise<Started>
  /** Pays back, once for a key. */
  refund(payment: Payment, amount: Hundredths, key: string): Promise<void>
}

/** The gateway said no: nothing was done. */
export class GatewayRefused extends UserError {}

/** The gateway did not answer: it may have done what it was asked. */
export class GatewaySilent extends UserError {}

/** By name, in the order in which they are offered. */
export type Gateways = ReadonlyMap<string, Gateway>

export function getGateway(gateways: Gateways, name: string): Gateway {
  const gateway = gateways.get(name)
  if (gateway) return gateway
  throw new UserError(`Unknown gateway "${name}". Use one of: ${[...gateways.keys()].join(', ')}`, {
    reason: 'gateway_unknown',
  })
}
