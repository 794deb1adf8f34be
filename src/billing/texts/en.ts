import type { BillingTexts } from './shape.ts'

export const enBilling: BillingTexts = {
  mails: {
    renewal: {
      subject: '{project}: balance too low for the renewal {when}',
      title: 'Balance too low for the renewal {when}',
      paragraphs: [
        "Your current plan ends on {ends}. {plan} costs {price} to renew. Your balance is {balance}, so you're {shortfall} short.",
        'Top up before that day. Otherwise the project moves to the entry plan.',
      ],
    },
    plan_ended: {
      subject: '{project}: your {old} plan has ended',
      title: 'Your {old} plan has ended',
      paragraphs: [
        'Your {old} plan ended because {reason}. The project is now on {now}. Nothing was deleted.',
        'To switch back, top up your balance and choose the plan again.',
      ],
    },
    payment_received: {
      subject: '{project}: we received your payment of {amount}',
      title: 'We received your payment of {amount}',
      paragraphs: ['We received your payment for order {order_id}. Your balance is now {balance}.'],
    },
    payment_failed: {
      subject: '{project}: your payment of {amount} failed',
      title: 'Your payment of {amount} failed',
      paragraphs: [
        'The payment for order {order_id} failed{reason}.',
        "To pay, start a new payment. If this one still arrives, we'll credit it.",
      ],
    },
    payment_disputed: {
      subject: '{project}: a payment is disputed',
      title: 'A payment is disputed',
      paragraphs: [
        'Order {order_id} is disputed: {arrived} arrived for an order of {ordered}. Nothing is credited until you resolve it.',
        'Check the account at the payment provider. Refund the payment, or credit it with "bin/deskbell billing credit". Then close the order with "bin/deskbell billing cancel". "bin/deskbell billing orders --status disputed" lists all disputed orders.',
      ],
    },
  },
  action: 'Open plan and billing',
  smallToOwner: "You're receiving this email because you're an owner of {project}.",
  smallToHost: "You're receiving this email because BILLING_MAIL_TO contains your address.",
  endReasons: {
    insufficient_balance: "the balance didn't cover the next period",
    auto_renew_disabled: 'auto-renewal is off',
    trial_unpaid: "the trial ended and the balance doesn't cover a paid plan",
  },
  failureReasons: {
    expired: ': it expired',
    cancelled: ': it was cancelled',
    other: ': {reason}',
    none: '',
  },
  soon: 'within two hours',
  inHours: { one: 'in {count} hour', other: 'in {count} hours' },
  inDays: { one: 'in {count} day', other: 'in {count} days' },
  moment: '{date} at {time} UTC',
  pageDone: "Thank you. We'll add the payment to your balance shortly. You can close this window.",
  pageCancelled: 'The payment was cancelled. You can close this window.',
}
