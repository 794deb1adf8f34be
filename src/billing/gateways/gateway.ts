import { UserError } from '../../core/user-error.ts'
import type { Hundredths } from '../money.ts'
import type { Payment } from '../payments.ts'

/** What the payer must do next. */
export interface Started {
  /** The gateway's own id of the order. */
  external_id: string | null
  /** The payment page for the browser. */
  url: string | null
  instructions: string | null
}

/**
 * A payment gateway. Its later reports go to `receivePayment` and `failPayment`. `start` and `refund` throw
 * `GatewayRefused` or `GatewaySilent`.
 */
export interface Gateway {
  name: string
  /** The payment method in events, until the gateway reports a more exact one. */
  method: string
  /** `back` is the dashboard page to which the payer returns; null if the order was not made on a page. */
  start(payment: Payment, back: string | null): Promise<Started>
  /** Sends a refund, once for each key. */
  refund(payment: Payment, amount: Hundredths, key: string): Promise<void>
}

/** The gateway refused the request: nothing was changed. */
export class GatewayRefused extends UserError {}

/** The gateway did not respond: the request may have succeeded. */
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
