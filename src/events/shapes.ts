import Type, { type TProperties } from 'typebox'
import { id, nullable } from '../core/schema.ts'

/** Shapes that several events share. */

export const text = Type.String()
export const maybeText = nullable(text)
export const amount = Type.Number()
export const ticket = { ticket_id: id }
export const person = {
  id,
  internal_id: id,
  external_id: maybeText,
  email: maybeText,
  full_name: maybeText,
  phone: maybeText,
  telegram_id: nullable(Type.Integer()),
}

export const media = Type.Object({
  id,
  filename: text,
  content_type: text,
  size: Type.Integer(),
  kind: text,
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  duration: nullable(Type.Number()),
  url: text,
  thumb_url: maybeText,
})

export const describe = <T extends TProperties>(description: string, fields: T) =>
  Type.Object(fields, { description })
