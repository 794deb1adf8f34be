import { printEnvelope } from '../events/envelope.ts'

/** The source of a delivery's body: its event, if it is still stored, or the body itself. */
export interface DeliveryContent {
  event_id: string
  event_type: string
  request_body: string | null
  /** Null if the event has been deleted. */
  event_data: string | null
  event_at: string | null
}

/** The body that every attempt sends; null if there is nothing left to send. */
export function bodyOf(projectId: string, row: DeliveryContent): string | null {
  const { request_body, event_id, event_type, event_data, event_at } = row
  if (request_body !== null || event_data === null) return request_body
  return printEnvelope(projectId, { id: event_id, type: event_type, data: event_data, created_at: event_at! })
}
