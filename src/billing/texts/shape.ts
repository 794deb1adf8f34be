import type { MailTexts } from '../../core/mail/mail-layout.ts'
import type { Plural } from '../../core/text/texts.ts'

export type BillingMailKind =
  | 'renewal'
  | 'plan_ended'
  | 'payment_received'
  | 'payment_failed'
  | 'payment_disputed'

/** The texts of mails about money, and of the pages that Stripe sends people to. `{name}` is replaced with a value. */
export interface BillingTexts {
  mails: {
    /** {project}, {when}, {ends}, {plan}, {price}, {balance}, {shortfall} */
    renewal: BillingMailTexts
    /** {project}, {old}, {now}, {reason} */
    plan_ended: BillingMailTexts
    /** {project}, {order_id}, {amount}, {balance} */
    payment_received: BillingMailTexts
    /** {project}, {order_id}, {amount}, {reason} */
    payment_failed: BillingMailTexts
    /** {project}, {order_id}, {arrived}, {ordered} */
    payment_disputed: BillingMailTexts
  }
  action: string
  /** {project} */
  smallToOwner: string
  smallToHost: string
  /** Replace {reason} in `plan_ended`. */
  endReasons: Record<string, string>
  /** Replace {reason} in `payment_failed`: `other` for a reason that has no text, `none` if there is none. */
  failureReasons: { expired: string; cancelled: string; other: string; none: string }
  /** Replace {when}. */
  soon: string
  inHours: Plural
  inDays: Plural
  /** {date}, {time}: replaces {ends}. */
  moment: string
  /** After a payment at Stripe. */
  pageDone: string
  pageCancelled: string
}

type BillingMailTexts = Required<Pick<MailTexts, 'subject' | 'title' | 'paragraphs'>>
