import Type, { type Static } from 'typebox'
import { roles } from '../core/endpoint.ts'
import { id, list, nullable, paging, text, time, words } from '../core/schema.ts'

export const statuses = ['online', 'away', 'dnd', 'custom', 'offline'] as const

export const operator = Type.Object({
  id,
  name: text(255),
  email: text(254, { examples: ['omar@example.com'] }),
  role: words(roles),
  avatar_url: nullable(Type.String()),
  status: words(statuses),
  status_text: nullable(Type.String()),
  status_emoji: nullable(Type.String()),
  department_ids: Type.Array(id),
  created_at: time,
})
export type Operator = Static<typeof operator>

export const department = Type.Object({
  id,
  name: text(255),
  is_default: Type.Boolean({ description: "Whether it is the project's first choice; one department is" }),
  operator_ids: Type.Array(id),
  created_at: time,
})
export type Department = Static<typeof department>

export const operatorList = list(operator)
export const departmentList = list(department)

export const peopleQuery = Type.Object(paging)
export type PeopleQuery = Static<typeof peopleQuery>
