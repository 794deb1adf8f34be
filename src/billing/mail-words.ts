import { type MailContent, renderMail } from '../core/mail-layout.ts'

/** What mails about money say. */

export type BillingMailKind =
  | 'renewal'
  | 'plan_ended'
  | 'payment_received'
  | 'payment_failed'
  | 'payment_disputed'

/** A notice about billing, and its project. */
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
  insufficient_balance: "the balance didn't cover the next period",
  auto_renew_disabled: 'auto-renewal is off',
  trial_unpaid: "the trial ended and the balance doesn't cover a paid plan",
}

const whyFailed: Record<string, string> = {
  expired: 'it expired',
  cancelled: 'it was cancelled',
}

const words: Record<BillingMailKind, (told: BillingMail['data']) => Words> = {
  renewal: ({ plan, price, balance, shortfall, when, ends }) => ({
    title: `balance too low for the renewal ${when}`,
    paragraphs: [
      `Your current plan ends on ${ends}. ${plan} costs ${price} to renew. Your balance is ${balance}, so you're ${shortfall} short.`,
      'Top up before that day. Otherwise the project moves to the entry plan.',
    ],
  }),
  plan_ended: ({ old, now, reason }) => ({
    title: `your ${old} plan has ended`,
    paragraphs: [
      `Your ${old} plan ended because ${whyEnded[reason!] ?? reason}. The project is now on ${now}. Nothing was deleted.`,
      'To switch back, top up your balance and choose the plan again.',
    ],
  }),
  payment_received: ({ order_id, amount, balance }) => ({
    title: `we received your payment of ${amount}`,
    paragraphs: [`We received your payment for order ${order_id}. Your balance is now ${balance}.`],
  }),
  payment_failed: ({ order_id, amount, reason }) => ({
    title: `your payment of ${amount} failed`,
    paragraphs: [
      `The payment for order ${order_id} failed${reason ? `: ${whyFailed[reason] ?? reason}` : ''}.`,
      "To pay, start a new payment. If this one still arrives, we'll credit it.",
    ],
  }),
  payment_disputed: ({ order_id, reason }) => ({
    title: `a payment is disputed`,
    paragraphs: [
      `Order ${order_id} is ${reason}. Nothing is credited until you resolve it.`,
      'Check the gateway\'s account. Refund the payment, or credit it with "bin/deskbell billing credit". Then close the order with "bin/deskbell billing cancel". "bin/deskbell billing orders --status disputed" lists all disputed orders.',
    ],
  }),
}

export function writeMail({ kind, data, project, project_id, color }: BillingMail, publicUrl: string) {
  const { title, paragraphs } = words[kind](data)
  const isHost = kind === 'payment_disputed'
  const small = isHost
    ? "You're receiving this email because BILLING_MAIL_TO contains your address."
    : `You're receiving this email because you're an owner of ${project}.`
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
