import type { TSchema } from 'typebox'
import { catalogue, type EventData, type EventType } from './catalogue.ts'

/** A realistic `data` for every event, made from the catalogue's schemas: for tests of a webhook and for the docs. */

interface Shape {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Shape>
  items?: Shape
  format?: string
  examples?: unknown[]
}

const examples: Record<string, unknown> = {
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
  url: '/api/media/0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b17',
  width: 800,
}

const byPath: Record<string, unknown> = {
  'ticket.created.status': 'new',
  'ticket.updated.workspace_id': undefined,
  'operator.status.changed.status': 'away',
  'billing.payment_failed.reason': 'card_declined',
  'billing.plan_downgraded.new_plan': 'free',
}

const ids = ['ticket', 'contact', 'message', 'operator', 'department', 'previous_operator']
const sameAs: Record<string, string> = { sender: 'contact', reactor: 'contact', user: 'operator' }

/** Each name has its own id, and the same one everywhere. */
const sampleId = (name: string): string => {
  const noun = name.replace(/_?id$/, '')
  const place = ids.indexOf(sameAs[noun] ?? noun)
  return `0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b${(0x11 + (place === -1 ? ids.length : place)).toString(16)}`
}

function sampleOf(shape: Shape, name: string, path: string): unknown {
  if (path in byPath) return byPath[path]
  if (shape.format === 'uuid') return sampleId(name)
  if (shape.enum) return shape.enum[0]
  if (shape.properties) return sampleObject(shape.properties, path)
  if (shape.items) return [sampleOf(shape.items, name, path)]
  return name in examples ? examples[name] : shape.examples?.[0]
}

const sampleObject = (properties: Record<string, Shape>, path: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .map(([name, shape]) => [name, sampleOf(shape, name, `${path}.${name}`)] as const)
      .filter(([, value]) => value !== undefined),
  )

/** In events about a person or a message, `id` is the id of that. */
function alignIds(type: EventType, data: Record<string, unknown>): Record<string, unknown> {
  if (!('id' in data)) return data
  const id = sampleId(type.split('.')[0]!)
  return { ...data, id, ...('internal_id' in data && { internal_id: id }) }
}

export const sampleData = <T extends EventType>(type: T): EventData<T> =>
  alignIds(
    type,
    sampleOf(catalogue[type] as TSchema as Shape, '', type) as Record<string, unknown>,
  ) as EventData<T>
