import Type, { type Static } from 'typebox'
import { nullable, words } from '../core/schema.ts'
import { followUps } from '../messages/schema.ts'

/** What people ask of tickets, beyond what integrations do. */

export const transfer = Type.Object({
  department_id: Type.String(),
  operator_id: Type.Optional(
    nullable(Type.String({ description: 'Who is to answer; without it nobody has the ticket' })),
  ),
})
export type Transfer = Static<typeof transfer>

const choices = {
  after_reply: words(followUps, { description: "Where a person's reply moves a ticket that is new or open" }),
  assigns_on_reply: Type.Boolean({ description: 'Whether whoever answers a ticket that nobody has gets it' }),
}
export const inboxSettings = Type.Object(choices, { title: 'InboxSettings' })
export type InboxSettings = Static<typeof inboxSettings>

export const inboxSettingsChange = Type.Partial(inboxSettings)
export type InboxSettingsChange = Static<typeof inboxSettingsChange>
