import Type from 'typebox'
import { nullable, oneOf, time } from '../core/schema.ts'
import { amount, describe, eventText, eventTextOrNull } from './shapes.ts'

/** Events about the plan and balance of a project. */
export const billingEvents = {
  'billing.payment_received': describe('A top-up is credited to the project balance', {
    payment_id: eventText,
    order_id: eventTextOrNull,
    amount,
    currency: eventText,
    method: eventText,
    transaction_id: eventTextOrNull,
    new_balance: amount,
  }),
  'billing.payment_failed': describe('The payment gateway reports that the payment was cancelled', {
    payment_id: eventText,
    order_id: eventTextOrNull,
    amount,
    method: eventText,
    reason: eventTextOrNull,
  }),
  'billing.plan_renewed': describe('The plan is renewed from the balance', {
    plan: eventText,
    amount,
    new_balance: amount,
    expires_at: time,
    trigger: oneOf(['auto', 'manual']),
  }),
  'billing.plan_changed': describe(
    'The plan ended and the project moved to the plan chosen as next, or a trial became a paid plan',
    {
      old_plan: eventText,
      new_plan: eventText,
      expires_at: nullable(time),
      amount: Type.Optional(amount),
      new_balance: Type.Optional(amount),
      reason: Type.Optional(eventText),
    },
  ),
  'billing.plan_downgraded': describe('The project moves to the entry plan', {
    old_plan: eventText,
    new_plan: eventText,
    expires_at: nullable(time),
    reason: Type.Optional(eventText),
  }),
  'billing.balance_low': describe('A renewal attempt finds the balance below the plan price', {
    plan: eventText,
    balance: amount,
    price: amount,
    shortfall: amount,
    trigger: Type.Optional(oneOf(['manual'])),
  }),
  'billing.subscription_expired': describe('A paid plan ended without renewal', {
    old_plan: eventText,
    reason: oneOf(['insufficient_balance', 'auto_renew_disabled']),
    expired_at: time,
  }),
} as const
