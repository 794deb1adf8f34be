import Type, { type Static } from 'typebox'
import { id, nullable, text, time, words } from '../core/schema.ts'
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
  status: words(['pending', 'received', 'failed']),
  reason: maybeText,
  transaction_id: maybeText,
  created_at: time,
  settled_at: nullable(time),
})

const plan = Type.Object({
  code: Type.String(),
  name: Type.String(),
  price: amount,
  currency: maybeText,
  period: words(['month', 'year']),
  monthly_ticket_limit: nullable(Type.Integer()),
  operator_seats: nullable(Type.Integer()),
  features,
})

export const billing = Type.Object({
  plan: Type.String({ description: 'Its code' }),
  plan_name: Type.String(),
  expires_at: nullable(time),
  is_trial: Type.Boolean(),
  auto_renew: nullable(Type.Boolean()),
  next_plan: maybeText,
  balance: amount,
  currency: maybeText,
  shortfall: nullable(Type.Number({ description: 'What the next renewal lacks' })),
  operator_seats: nullable(Type.Integer()),
  features,
  tickets: usage,
  payments: Type.Array(payment),
  offered: Type.Array(plan),
  gateways: Type.Array(Type.String(), { description: 'Ways to pay' }),
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
export const planChoice = Type.Object({ plan: text(64, { minLength: 1 }) })
export const autoRenewal = Type.Object({ auto_renew: Type.Boolean() })
export const renewal = Type.Object({
  expires_at: text(40, { description: 'The end that was shown: who renews twice pays once' }),
})
export const topUpOrder = Type.Object({
  amount: text(20, { description: 'As it is typed: `29.00`' }),
  currency: Type.Optional(text(3)),
  gateway: Type.Optional(text(32)),
})
export type TopUpOrder = Static<typeof topUpOrder>
export const startedPayment = Type.Object({
  ...payment.properties,
  url: nullable(Type.String({ description: 'Where to pay' })),
  instructions: maybeText,
})
