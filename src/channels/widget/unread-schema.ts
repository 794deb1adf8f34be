import Type, { type Static } from 'typebox'
import { nullable } from '../../core/schema.ts'

/** Whether the next reply in a chat is sent by email. */
export const unreadEmail = Type.Object(
  {
    address: nullable(
      Type.String({
        description:
          'The address to which the reply is sent if it is unread; null if it is not sent by email',
        examples: ['ann@example.com'],
      }),
    ),
    after_minutes: Type.Integer({
      description: 'For how many minutes the reply must be unread; 0 if it is sent at once',
      examples: [5],
    }),
  },
  { title: 'UnreadEmail' },
)
export type UnreadEmail = Static<typeof unreadEmail>
