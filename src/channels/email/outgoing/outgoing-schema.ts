import Type, { type Static } from 'typebox'
import { id, nullable, text } from '../../../core/schema.ts'

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

export const senderChoices = Type.Object({
  items: Type.Array(
    Type.Object({
      id,
      address: Type.String({ examples: ['support@example.com'] }),
      name: Type.String({ examples: ['Acme Support'] }),
      can_send: Type.Boolean({ description: 'False if the mailbox is paused, or only receives' }),
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
        description: 'Whether it is an address of a mailbox of the project, which emails cannot be sent to',
      }),
      is_undeliverable: Type.Boolean({ description: 'Whether an earlier email to it came back' }),
    }),
  ),
})
export type KnownAddress = Static<typeof knownAddresses>['items'][number]
