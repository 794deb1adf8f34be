import Type, { type TProperties } from 'typebox'
import { id, nullable } from '../core/schema.ts'

/** Shapes that several events share. */

export const eventText = Type.String()
export const eventTextOrNull = nullable(eventText)
export const amount = Type.Number()
export const eventTicket = { ticket_id: id }
export const eventPerson = {
  id,
  internal_id: id,
  external_id: eventTextOrNull,
  email: eventTextOrNull,
  full_name: eventTextOrNull,
  phone: eventTextOrNull,
  telegram_id: nullable(Type.Integer()),
}

export const eventMedia = Type.Object({
  id,
  filename: eventText,
  content_type: eventText,
  size: Type.Integer(),
  kind: eventText,
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  duration: nullable(Type.Number()),
  url: eventText,
  thumb_url: eventTextOrNull,
})

export const describe = <T extends TProperties>(description: string, fields: T) =>
  Type.Object(fields, { description })
