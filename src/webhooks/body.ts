import { printEnvelope } from '../events/envelope.ts'

/** What the body of a delivery is made of: its event, if that is still kept, or the body itself. */
export interface DeliveryContent {
  event_id: string
  event_type: string
  request_body: string | null
  /** Null when the event is not kept any more. */
  event_data: string | null
  event_at: string | null
}

/** The bytes that every attempt sends; null when there is nothing left to send. */
export function bodyOf(projectId: string, row: DeliveryContent): string | null {
  const { request_body, event_id, event_type, event_data, event_at } = row
  if (request_body !== null || event_data === null) return request_body
  return printEnvelope(projectId, { id: event_id, type: event_type, data: event_data, created_at: event_at! })
}
