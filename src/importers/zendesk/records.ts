import Type, { type Static } from 'typebox'

/** The fields of Zendesk's records that are imported. Others are ignored. */

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]))

const text = maybe(Type.String())
const number = maybe(Type.Number())

export const zendeskUser = Type.Object({
  id: Type.Number(),
  name: text,
  email: text,
  phone: text,
  role: text,
  locale: text,
  iana_time_zone: text,
  notes: text,
  details: text,
  external_id: text,
  tags: maybe(Type.Array(Type.String())),
  user_fields: maybe(Type.Record(Type.String(), Type.Unknown())),
  created_at: text,
  updated_at: text,
})
export type ZendeskUser = Static<typeof zendeskUser>

const users = maybe(Type.Array(zendeskUser))

const via = maybe(
  Type.Object({
    channel: Type.Optional(Type.Unknown()),
    source: Type.Optional(Type.Unknown()),
  }),
)

export const zendeskTicket = Type.Object({
  id: Type.Number(),
  subject: text,
  status: Type.String(),
  priority: text,
  type: text,
  requester_id: number,
  assignee_id: number,
  group_id: number,
  email_cc_ids: maybe(Type.Array(Type.Number())),
  tags: maybe(Type.Array(Type.String())),
  external_id: text,
  via,
  custom_fields: maybe(Type.Array(Type.Object({ id: Type.Number(), value: Type.Optional(Type.Unknown()) }))),
  satisfaction_rating: maybe(Type.Object({ score: text, comment: text })),
  comment_count: number,
  created_at: Type.String(),
  updated_at: text,
})
export type ZendeskTicket = Static<typeof zendeskTicket>

const zendeskMetric = Type.Object({ ticket_id: Type.Number(), solved_at: text, reopens: number })
export type ZendeskMetric = Static<typeof zendeskMetric>

export const ticketPage = Type.Object({
  tickets: Type.Array(zendeskTicket),
  users,
  metric_sets: maybe(Type.Array(zendeskMetric)),
  after_cursor: text,
  end_of_stream: Type.Boolean(),
})
export type TicketPage = Static<typeof ticketPage>

export const userPage = Type.Object({
  users: Type.Array(zendeskUser),
  after_cursor: text,
  end_of_stream: Type.Boolean(),
})

const attachment = Type.Object({
  id: Type.Number(),
  file_name: text,
  content_url: Type.String(),
  content_type: text,
  size: number,
})
export type ZendeskAttachment = Static<typeof attachment>

export const zendeskComment = Type.Object({
  id: Type.Number(),
  author_id: number,
  body: text,
  plain_body: text,
  html_body: text,
  public: maybe(Type.Boolean()),
  attachments: maybe(Type.Array(attachment)),
  via,
  created_at: Type.String(),
})
export type ZendeskComment = Static<typeof zendeskComment>

const meta = Type.Object({ has_more: Type.Boolean(), after_cursor: text })

export const commentPage = Type.Object({ comments: Type.Array(zendeskComment), users, meta })

export const groupPage = Type.Object({
  groups: Type.Array(Type.Object({ id: Type.Number(), name: Type.String() })),
  meta,
})

const zendeskField = Type.Object({
  id: Type.Number(),
  title: Type.String(),
  custom_field_options: maybe(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
})
export type ZendeskField = Static<typeof zendeskField>

export const fieldPage = Type.Object({ ticket_fields: Type.Array(zendeskField), meta })
