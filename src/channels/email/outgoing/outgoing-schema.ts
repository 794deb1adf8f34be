import Type, { type Static } from 'typebox'
import { id, nullable } from '../../../core/schema.ts'

const addresses = (description: string) =>
  Type.Array(Type.String({ examples: ['ann@example.com'] }), { description })

export const replyRecipients = Type.Object({
  mailbox_id: nullable(
    Type.String({ ...id, description: 'The mailbox that sends the reply; null if no mailbox can' }),
  ),
  to: addresses('The recipients'),
  cc: addresses('More recipients'),
  bcc: addresses('Always empty'),
  subject: Type.String({ examples: ['Re: My order'] }),
})
export type ReplyRecipients = Static<typeof replyRecipients>
