import Type, { type Static } from 'typebox'
import { nullable } from '../core/schema.ts'

/** The fields of requests that send a message by email. */

const addressList = (options: { description: string }) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 254, format: 'email', examples: ['ann@example.com'] }), {
      maxItems: 100,
      ...options,
    }),
  )

/** The recipients of the first email of a conversation. */
export const newRecipients = Type.Object(
  {
    to: addressList({ description: 'The recipients. By default, the contact' }),
    cc: addressList({ description: 'More recipients' }),
    bcc: addressList({ description: 'Recipients whom the others do not see' }),
  },
  { title: 'NewRecipients' },
)

/** The fields of a new ticket that starts a conversation by email. */
export const newConversation = {
  mailbox_id: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        examples: ['0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'],
        description:
          'Starts a conversation by email: the content is sent to the contact from this mailbox, instead of being a message from the contact',
      }),
    ),
  ),
  email: Type.Optional(nullable(newRecipients)),
  can_undo: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'With `mailbox_id`, the email waits for the time that the project has chosen for emails, and can be withdrawn until then',
    }),
  ),
}

/** How a message is sent by email. */
export const newEmail = Type.Object(
  {
    to: addressList({
      description: 'The recipients. By default, the sender of the newest email from the contact',
    }),
    cc: addressList({
      description:
        'More recipients. By default, the other recipients of that email, or no one if `to` is given',
    }),
    bcc: addressList({ description: 'Recipients whom the others do not see' }),
    subject: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: '^\\P{Cc}+$',
          description: 'By default, `Re:` followed by the subject of the email that it answers',
          examples: ['Re: My order'],
        }),
      ),
    ),
    mailbox_id: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          examples: ['0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'],
          description: 'The mailbox that sends it. By default, the one that received the newest email',
        }),
      ),
    ),
  },
  { title: 'NewEmail' },
)
export type NewEmail = Static<typeof newEmail>
