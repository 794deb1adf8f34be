import Type, { type Static } from 'typebox'
import { id, nullable, text, time } from '../core/schema.ts'

const name = text(100, { minLength: 1, format: 'name', examples: ['CI server'] })

export const apiKey = Type.Object({
  id,
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the key' }),
  is_active: Type.Boolean(),
  last_used_at: nullable({ ...time, description: 'To the minute; null if it has never been used' }),
  created_at: time,
})

export const apiKeys = Type.Object({ items: Type.Array(apiKey) })

export const newKey = Type.Object({ name })

export const createdKey = Type.Object({
  ...apiKey.properties,
  key: Type.String({ description: 'The whole key, shown only in this response' }),
})

export const keyChange = Type.Partial(Type.Object({ name, is_active: Type.Boolean() }))
export type KeyChange = Static<typeof keyChange>
