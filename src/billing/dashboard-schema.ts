import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text, time } from '../core/schema.ts'
import { features, usage } from './schema.ts'

const amount = Type.Number()
const maybeText = nullable(Type.String())

export const payment = Type.Object({
  order_id: Type.String(),
  payment_id: id,
  gateway: Type.String(),
  method: Type.String(),
  amount,
  currency: Type.String(),
  status: oneOf(['pending', 'received', 'failed']),
  is_disputed: Type.Boolean({ description: 'A payment differs from its order and was not credited' }),
  reason: maybeText,
  transaction_id: maybeText,
  created_at: time,
  expires_at: nullable(
    Type.String({
      examples: ['2026-02-14T10:30:00.123456'],
      description: 'When the order expires',
    }),
  ),
  settled_at: nullable(time),
})

/** Each field may be empty. */
export const buyer = Type.Object({
  name: Type.String({ maxLength: 200 }),
  address: Type.String({ maxLength: 1000 }),
  tax_number: Type.String({ maxLength: 100 }),
})

const plan = Type.Object({
  code: Type.String(),
  name: Type.String(),
  price: amount,
  currency: maybeText,
  period: oneOf(['month', 'year']),
  monthly_ticket_limit: nullable(Type.Integer()),
  operator_seats: nullable(Type.Integer()),
  features,
})

const step = Type.Object({
  plan: Type.String({ description: 'The code of the plan' }),
  plan_name: Type.String(),
  at: nullable({ ...time, description: 'When it takes effect; null means immediately' }),
  amount: Type.Number({ description: 'The amount deducted from the balance' }),
  balance_after: amount,
  shortfall: nullable(Type.Number({ description: 'How much is missing from the balance' })),
  expires_at: nullable({ ...time, description: 'When the paid period ends afterwards' }),
})

const end = Type.Object({
  ...step.properties,
  reason: oneOf(['renewal', 'choice', 'trial_end', 'auto_renew_off', 'balance_low']),
})

export const billing = Type.Object({
  plan: Type.String({ description: 'The code of the plan' }),
  plan_name: Type.String(),
  expires_at: nullable(time),
  is_trial: Type.Boolean(),
  auto_renew: nullable(Type.Boolean()),
  next_plan: maybeText,
  balance: amount,
  currency: maybeText,
  shortfall: nullable(Type.Number({ description: 'How much is missing for the next renewal' })),
  operator_seats: nullable(Type.Integer()),
  features,
  tickets: usage,
  payments: Type.Array(payment),
  next: nullable({ ...end, description: 'What happens at the end of the current period' }),
  renewal: nullable({ ...step, description: 'The effect of renewing now' }),
  offered: Type.Array(
    Type.Object({
      ...plan.properties,
      choice: nullable({ ...step, description: 'The effect of choosing it' }),
    }),
  ),
  gateways: Type.Array(Type.String(), { description: 'Ways to pay' }),
  buyer,
})

export const ledger = Type.Object({
  currency: maybeText,
  items: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      created_at: time,
      amount,
      balance_after: amount,
      cause: Type.String(),
      reference: maybeText,
      note: maybeText,
      by: maybeText,
    }),
  ),
})

export const offer = Type.Object({ is_sold: Type.Boolean() })
export const planChoice = Type.Object({
  plan: text(64, { minLength: 1 }),
  at: nullable(text(40, { description: 'The price as it was shown. If it has changed, nothing is charged' })),
  amount: Type.Number({ description: 'The amount as it was shown' }),
})
export type PlanChoice = Static<typeof planChoice>
export const autoRenewal = Type.Object({ auto_renew: Type.Boolean() })
export const renewal = Type.Object({
  expires_at: text(40, { description: 'The end as it was shown, so that renewing twice charges once' }),
  amount: Type.Number({ description: 'The price as it was shown' }),
})
export type Renewing = Static<typeof renewal>
export const topUpOrder = Type.Object({
  amount: text(20, { description: 'The amount as typed: `29.00`' }),
  currency: Type.Optional(text(3)),
  gateway: Type.Optional(text(32)),
})
export type TopUpOrder = Static<typeof topUpOrder>
export const startedPayment = Type.Object({
  ...payment.properties,
  url: nullable(Type.String({ description: 'Where to pay' })),
  transfer_to: nullable(
    Type.String({ description: 'The bank details for a transfer, as the settings name them' }),
  ),
})
