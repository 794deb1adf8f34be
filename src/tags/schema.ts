import Type, { type Static } from 'typebox'
import { id, list, paging, time } from '../core/schema.ts'

export const tag = Type.Object({
  id,
  name: Type.String({ examples: ['vip'] }),
  created_at: time,
})
export type Tag = Static<typeof tag>

export const tagList = list(tag)

export const tagQuery = Type.Object(paging)
export type TagQuery = Static<typeof tagQuery>
