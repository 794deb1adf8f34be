import Type, { type Static } from 'typebox'
import { id, nullable, text } from '../../../core/schema.ts'
import { content, contentFormat, newEmail } from '../../../messages/schema.ts'

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

const { to, cc, bcc, subject, mailbox_id } = newEmail.properties

export const newForward = Type.Object({
  content: Type.Optional({ ...content, description: 'The text above the forwarded message' }),
  content_format: Type.Optional(contentFormat),
  media_ids: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 500,
      description: 'The files of the message to attach. By default, all of them',
    }),
  ),
  email: Type.Object({
    to: Type.Array(to.items, { minItems: 1, maxItems: 100, description: 'The recipients' }),
    cc: Type.Optional({ ...cc, description: 'More recipients' }),
    bcc: Type.Optional(bcc),
    subject: Type.Optional({
      ...subject,
      description: 'By default, `Fwd:` followed by the subject of the message',
    }),
    mailbox_id: Type.Optional({
      ...mailbox_id,
      description: 'The mailbox that sends it. By default, the one that would send a reply in the ticket',
    }),
  }),
})
export type NewForward = Static<typeof newForward>

export type ReplyRecipients = Static<typeof replyRecipients>

export const senderChoices = Type.Object({
  items: Type.Array(
    Type.Object({
      id,
      address: Type.String({ examples: ['support@example.com'] }),
      name: Type.String({ examples: ['Acme Support'] }),
      can_send: Type.Boolean({ description: 'False if the mailbox is paused or only receives email' }),
    }),
  ),
})

export const addressQuery = Type.Object({
  address: Type.Optional(Type.Array(text(254), { maxItems: 100 })),
})
export type AddressQuery = Static<typeof addressQuery>

export const knownAddresses = Type.Object({
  items: Type.Array(
    Type.Object({
      address: Type.String({ description: 'As in the request', examples: ['ann@example.com'] }),
      name: nullable(Type.String({ description: "The contact's name", examples: ['Ann Lee'] })),
      is_own: Type.Boolean({
        description: 'Whether the address belongs to a mailbox of the project, to which email cannot be sent',
      }),
      is_undeliverable: Type.Boolean({ description: 'Whether an earlier email to it bounced' }),
    }),
  ),
})
export type KnownAddress = Static<typeof knownAddresses>['items'][number]
