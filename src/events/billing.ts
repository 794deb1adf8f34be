import Type from 'typebox'
import { nullable, time, words } from '../core/schema.ts'
import { amount, describe, maybeText, text } from './shapes.ts'

/** Events about the plan and balance of a project. */
export const billingEvents = {
  'billing.payment_received': describe('A top-up is credited to the project balance', {
    payment_id: text,
    order_id: maybeText,
    amount,
    currency: text,
    method: text,
    transaction_id: maybeText,
    new_balance: amount,
  }),
  'billing.payment_failed': describe('The payment gateway reports the payment cancelled', {
    payment_id: text,
    order_id: maybeText,
    amount,
    method: text,
    reason: maybeText,
  }),
  'billing.plan_renewed': describe('The plan is renewed from the balance', {
    plan: text,
    amount,
    new_balance: amount,
    expires_at: time,
    trigger: words(['auto', 'manual']),
  }),
  'billing.plan_changed': describe(
    'The plan ended and switched to the one chosen as next, or a trial became paid',
    {
      old_plan: text,
      new_plan: text,
      expires_at: nullable(time),
      amount: Type.Optional(amount),
      new_balance: Type.Optional(amount),
      reason: Type.Optional(text),
    },
  ),
  'billing.plan_downgraded': describe('The project moves to the entry plan', {
    old_plan: text,
    new_plan: text,
    expires_at: nullable(time),
    reason: Type.Optional(text),
  }),
  'billing.balance_low': describe('A renewal attempt finds the balance below the plan price', {
    plan: text,
    balance: amount,
    price: amount,
    shortfall: amount,
    trigger: Type.Optional(words(['manual'])),
  }),
  'billing.subscription_expired': describe('A paid plan ended without renewal', {
    old_plan: text,
    reason: words(['insufficient_balance', 'auto_renew_disabled']),
    expired_at: time,
  }),
} as const
