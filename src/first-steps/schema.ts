import Type, { type Static } from 'typebox'
import { id, nullable, oneOf } from '../core/schema.ts'
import { firstSteps } from '../projects/projects.ts'

const step = Type.Object({
  name: oneOf(firstSteps, {
    description:
      '`channel`: a mailbox, Telegram bot or custom channel is connected. `widget`: a visitor has seen the chat on another website. ' +
      '`article`: an article is published. `colleague`: somebody else is in the project or invited. `hours`: the chat has hours, or a ' +
      'mailbox sends away messages. `ticket`: a ticket was answered',
  }),
  is_done: Type.Boolean(),
})

const testTicket = Type.Object({
  id,
  short_id: Type.String(),
  contact_id: id,
  is_answered: Type.Boolean(),
})

export const firstStepList = Type.Object({
  is_shown: Type.Boolean({ description: 'Whether the dashboard shows the list' }),
  items: Type.Array(step),
  test_ticket: nullable({
    ...testTicket,
    description: 'The latest ticket of the contact with the address `test@deskbell.example`',
  }),
})
export type FirstStepList = Static<typeof firstStepList>
