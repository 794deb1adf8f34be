import Type, { type Static } from 'typebox'
import { id, list, nullable, paging, text, time } from '../core/schema.ts'

export const tag = Type.Object({
  id,
  name: Type.String({ examples: ['vip'] }),
  created_at: time,
})
export type Tag = Static<typeof tag>

export const tagList = list(tag)

export const tagQuery = Type.Object(paging)
export type TagQuery = Static<typeof tagQuery>

const name = text(64, { minLength: 1, format: 'tag' })
const color = nullable(text(7, { pattern: '^#[0-9a-f]{6}$', examples: ['#1a73e8'] }))

export const shownTag = Type.Object({
  ...tag.properties,
  color,
  is_changing: Type.Boolean({ description: 'Whether some tickets and contacts still have the old name' }),
})

export const shownTags = Type.Object({ items: Type.Array(shownTag) })

export const newTag = Type.Object({ name, color: Type.Optional(color) })
export type NewTag = Static<typeof newTag>

export const tagChange = Type.Partial(Type.Object({ name, color }))
export type TagChange = Static<typeof tagChange>

export const tagMerge = Type.Object({ into_tag_id: id })
