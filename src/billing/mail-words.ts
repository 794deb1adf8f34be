import { type MailContent, renderMail } from '../core/mail-layout.ts'

/** What mails about money say. */

export type BillingMailKind =
  | 'renewal'
  | 'plan_ended'
  | 'payment_received'
  | 'payment_failed'
  | 'payment_disputed'

/** What is told, of which project. */
export interface BillingMail {
  project_id: string
  project: string
  color: string | null
  kind: BillingMailKind
  data: Record<string, string | null | undefined>
}

/** Plan and billing in the dashboard. */
export const billingPagePath = (projectId: string): string => `/p/${projectId}/settings/billing`

type Words = Pick<MailContent, 'title' | 'paragraphs'>

const whyEnded: Record<string, string> = {
  insufficient_balance: 'the balance did not cover the next period',
  auto_renew_disabled: 'automatic renewal is off',
  trial_unpaid: 'the trial has ended and the balance does not cover a paid plan',
}

const whyFailed: Record<string, string> = {
  expired: 'its time is over',
  cancelled: 'it was cancelled',
}

const words: Record<BillingMailKind, (told: BillingMail['data']) => Words> = {
  renewal: ({ plan, price, balance, shortfall, when, ends }) => ({
    title: `the balance does not cover the renewal ${when}`,
    paragraphs: [
      `The current plan ends on ${ends}. Plan "${plan}" costs ${price} then, and the balance is ${balance}: it is ${shortfall} short.`,
      'If the balance stays short, the project moves to the entry plan then. Please top up the balance before that day.',
    ],
  }),
  plan_ended: ({ old, now, reason }) => ({
    title: `the plan ${old} has ended`,
    paragraphs: [
      `Plan "${old}" has ended because ${whyEnded[reason!] ?? reason}. The project is now on plan "${now}", and nothing was deleted.`,
      'To return to it, top up the balance and choose the plan again.',
    ],
  }),
  payment_received: ({ order_id, amount, balance }) => ({
    title: `a payment of ${amount} has arrived`,
    paragraphs: [`The payment for order ${order_id} has arrived. The balance is now ${balance}.`],
  }),
  payment_failed: ({ order_id, amount, reason }) => ({
    title: `a payment of ${amount} has failed`,
    paragraphs: [
      `Order ${order_id} has ended without money${reason ? `: ${whyFailed[reason] ?? reason}` : ''}.`,
      'If you still want to pay, please start a new payment. A payment that arrives late is still credited.',
    ],
  }),
  payment_disputed: ({ order_id, reason }) => ({
    title: `a payment is disputed`,
    paragraphs: [
      `Order ${order_id} is ${reason}. Nothing is credited until you have resolved it.`,
      'Check the gateway\'s account. Refund the payment, or credit it with "bin/deskbell billing credit". Then close the order with "bin/deskbell billing cancel". "bin/deskbell billing orders --status disputed" lists all disputed orders.',
    ],
  }),
}

export function writeMail({ kind, data, project, project_id, color }: BillingMail, publicUrl: string) {
  const { title, paragraphs } = words[kind](data)
  const isHost = kind === 'payment_disputed'
  const small = isHost
    ? 'You receive this mail because BILLING_MAIL_TO contains your address.'
    : `You receive this mail because you are an owner of ${project}.`
  const action = { label: 'Open plan and billing', url: publicUrl + billingPagePath(project_id) }
  const letter = {
    from: project,
    color,
    title: title[0]!.toUpperCase() + title.slice(1),
    paragraphs,
    action,
    small,
  }
  return { subject: `${project}: ${title}`, sender: project, ...renderMail(letter) }
}
