import { asRecord } from '../core/objects.ts'
import { sampleId, sampleOf } from '../core/sample.ts'
import { catalogue, type EventData, type EventType } from './catalogue.ts'

/** Realistic `data` for every event, made from the schemas of the catalogue. For tests of webhooks and for the documentation. */

/** Values by field name. */
export const examples: Record<string, unknown> = {
  amount: 29.0,
  balance: 12.5,
  price: 29.0,
  shortfall: 16.5,
  new_balance: 71.0,
  cause: 'contact_reply',
  comment: 'Quick and friendly',
  content: 'Thank you, it works now',
  content_type: 'image/png',
  currency: 'EUR',
  department_name: 'Billing',
  duration: null,
  email: 'ann@example.com',
  emoji: '👍',
  external_id: 'user-42',
  filename: 'screenshot.png',
  full_name: 'Ann Lee',
  height: 600,
  is_internal: false,
  kind: 'image',
  locale: 'en',
  method: 'card',
  new_plan: 'team',
  old_plan: 'trial',
  open_url: 'https://example.com/help?ticket=1042',
  operator_avatar_url: null,
  operator_name: 'Omar',
  order_id: 'A-17',
  payment_id: 'pay_1042',
  phone: '+15550100',
  plan: 'team',
  preview: 'Thank you, it works now',
  previous_status: 'pending',
  priority: 'normal',
  rating: 5,
  reason: 'trial_ended',
  resolution_secs: 5400,
  sender_name: 'Ann Lee',
  size: 5120,
  status: 'open',
  status_emoji: null,
  status_text: null,
  subject: 'Cannot pay',
  telegram_id: 12345678,
  telegram_user_id: 12345678,
  thumb_url: null,
  ticket_short_id: '1042',
  transaction_id: 'txn_1042',
  url: `/api/media/${sampleId('media')}`,
  width: 800,
}

const byPath: Record<string, unknown> = {
  'ticket.created.status': 'new',
  'ticket.updated.workspace_id': undefined,
  'operator.status.changed.status': 'away',
  'billing.payment_failed.reason': 'card_declined',
  'billing.plan_downgraded.new_plan': 'free',
  'billing.plan_downgraded.reason': 'trial_unpaid',
  'billing.plan_downgraded.expires_at': null,
  'billing.subscription_expired.old_plan': 'team',
  'billing.subscription_expired.reason': 'insufficient_balance',
}

const sameAs: Record<string, string> = { sender: 'contact', reactor: 'contact', user: 'operator' }

function idOf(name: string, path: string): string {
  const noun = name === 'id' ? path.split('.').at(-2)! : name.replace(/_id$/, '')
  return sampleId(sameAs[noun] ?? noun)
}

const known = { byPath, byName: examples, idOf }

/** In events about a person or a message, `id` is the id of that record. */
function alignIds(type: EventType, data: Record<string, unknown>): Record<string, unknown> {
  if (!('id' in data)) return data
  const id = sampleId(type.split('.')[0]!)
  return { ...data, id, ...('internal_id' in data && { internal_id: id }) }
}

export const sampleData = <T extends EventType>(type: T): EventData<T> =>
  alignIds(type, asRecord(sampleOf(catalogue[type], known, type))) as EventData<T>
