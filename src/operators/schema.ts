import Type, { type Static } from 'typebox'
import { roles } from '../core/roles.ts'
import { id, list, nullable, oneOf, paging, text, time, timeInput } from '../core/schema.ts'
import { accountSettings } from './account-settings.ts'

export const operatorStatuses = ['online', 'away', 'dnd', 'custom', 'offline'] as const

export const operator = Type.Object({
  id,
  name: text(255),
  email: text(254, { examples: ['omar@example.com'] }),
  role: oneOf(roles),
  avatar_url: nullable(Type.String()),
  status: oneOf(operatorStatuses),
  status_text: nullable(Type.String()),
  status_emoji: nullable(Type.String()),
  department_ids: Type.Array(id),
  created_at: time,
})
export type Operator = Static<typeof operator>

const statusUntil = nullable(time)

export const ownStatus = Type.Object({
  status: operator.properties.status,
  status_text: operator.properties.status_text,
  status_emoji: operator.properties.status_emoji,
  status_until: statusUntil,
})
export type OwnStatus = Static<typeof ownStatus>

export const statusChoice = Type.Object({
  status: oneOf(operatorStatuses),
  text: Type.Optional(nullable(text(100, { examples: ['Back at three'] }))),
  emoji: Type.Optional(nullable(text(32, { examples: ['🌴'] }))),
  until: Type.Optional(nullable({ ...timeInput, description: 'When the status changes back to online' })),
})
export type StatusChoice = Static<typeof statusChoice>

const signature = text(10_000, {
  description:
    'Plain text at the end of emails from operators of the department who have no signature of their own',
  examples: ['The sales team'],
})

export const department = Type.Object({
  id,
  name: text(255),
  is_default: Type.Boolean({ description: "Whether it is the project's default department; exactly one is" }),
  operator_ids: Type.Array(id),
  signature,
  created_at: time,
})
export type Department = Static<typeof department>

export const operatorList = list(operator)
export const departmentList = list(department)

export const peopleQuery = Type.Object(paging)
export type PeopleQuery = Static<typeof peopleQuery>

const nameInput = Type.String({ minLength: 1, maxLength: 255, format: 'name' })
const departmentIds = Type.Array(id, { maxItems: 100 })

/** An operator, as people of the project see it. */
export const person = Type.Object({
  ...operator.properties,
  status_until: statusUntil,
  last_seen_at: nullable(time),
  has_account: Type.Boolean({ description: 'Whether the invitation has been accepted' }),
  has_second_factor: Type.Boolean(),
  invitation_expires_at: nullable(time),
})
export type Person = Static<typeof person>
export const personList = Type.Object({ items: Type.Array(person) })

export const newPerson = Type.Object(
  {
    email: Type.String({ format: 'email' }),
    name: nameInput,
    role: Type.Optional(oneOf(roles)),
    department_ids: Type.Optional(departmentIds),
  },
  { additionalProperties: false },
)
export type NewPerson = Static<typeof newPerson>

export const personChange = Type.Object(
  {
    name: Type.Optional(nameInput),
    role: Type.Optional(oneOf(roles)),
    department_ids: Type.Optional(departmentIds),
  },
  { additionalProperties: false },
)
export type PersonChange = Static<typeof personChange>

/** A link to give to somebody. It works once. */
export const handedLink = Type.Object({
  url: Type.String(),
  expires_at: time,
  is_mailed: Type.Boolean({ description: 'Whether the link was also sent by email' }),
})
export type HandedLink = Static<typeof handedLink>

export const invitation = Type.Object({ operator: person, link: handedLink })

export const newDepartment = Type.Object({ name: nameInput }, { additionalProperties: false })

export const departmentChange = Type.Object(
  {
    name: Type.Optional(nameInput),
    is_default: Type.Optional(
      Type.Literal(true, { description: "Makes it the project's default department" }),
    ),
    operator_ids: Type.Optional(Type.Array(id, { maxItems: 1_000 })),
    signature: Type.Optional(signature),
  },
  { additionalProperties: false },
)
export type DepartmentChange = Static<typeof departmentChange>

const project = Type.Object({
  id,
  name: Type.String(),
  color: nullable(Type.String()),
  logo_url: nullable(Type.String()),
})

export const me = Type.Object({
  user: Type.Object({
    id,
    name: Type.String(),
    email: Type.String(),
    image: nullable(Type.String()),
    has_password: Type.Boolean(),
    has_second_factor: Type.Boolean(),
    meets_second_factor: Type.Boolean({
      description: 'Whether this session may enter projects that require a second factor',
    }),
    settings: accountSettings,
  }),
  memberships: Type.Array(
    Type.Object({
      project,
      operator_id: id,
      role: oneOf(roles),
      is_suspended: Type.Boolean(),
      requires_second_factor: Type.Boolean(),
      has_first_steps: Type.Boolean({
        description: 'Whether the dashboard shows the steps of setting up the project',
      }),
    }),
  ),
})
export type Me = Static<typeof me>

export const meChange = Type.Object(
  { name: Type.Optional(nameInput), settings: Type.Optional(accountSettings) },
  { additionalProperties: false },
)

/** In base64. The page scales the picture down before it sends it. */
export const picture = Type.Object(
  { content: Type.String({ minLength: 4, maxLength: 350_000, pattern: '^[A-Za-z0-9+/]+=*$' }) },
  { additionalProperties: false },
)

export const shownLink = Type.Object({
  purpose: oneOf(['set_up', 'invite', 'reset']),
  project: nullable(project),
  email: nullable(Type.String()),
  name: nullable(Type.String()),
  has_account: Type.Boolean({ description: 'Whether somebody with this address already has an account' }),
  expires_at: time,
})
export type ShownLink = Static<typeof shownLink>

/** The length of the password is limited, because hashing a longer one would only take processor time. */
export const acceptance = Type.Object(
  {
    name: Type.Optional(nameInput),
    email: Type.Optional(Type.String({ format: 'email' })),
    password: Type.Optional(Type.String({ minLength: 10, maxLength: 128 })),
  },
  { additionalProperties: false },
)
export type Acceptance = Static<typeof acceptance>

export const accepted = Type.Object({
  project_id: nullable(id),
  is_signed_in: Type.Boolean({
    description: 'False if the person still has to sign in with a second factor or a passkey',
  }),
})
