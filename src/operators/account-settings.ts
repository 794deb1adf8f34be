import Type from 'typebox'
import { nullable, oneOf } from '../core/schema.ts'

/** The settings of a person's account. The dashboard may store other settings too. */

const notifications = Type.Object(
  {
    assigned_by_email: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether you get an email when someone else assigns a ticket to you',
      }),
    ),
    mentioned_by_email: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether you get an email when a note mentions you' }),
    ),
    waiting_by_email: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether you get an email when a customer writes in a ticket assigned to you',
      }),
    ),
    mine: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether browsers notify you of messages in your tickets and of tickets assigned to you',
      }),
    ),
    mentions: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether browsers notify you of notes that mention you' }),
    ),
    unassigned: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether browsers notify you of unassigned tickets in your departments',
      }),
    ),
    hides_content: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether notifications of a browser while Deskbell is closed leave out names and texts',
      }),
    ),
    digest: Type.Optional(
      oneOf(['off', 'hourly', 'daily'], {
        default: 'off',
        description: 'How often you get an email that lists what waits for you',
      }),
    ),
    digest_at: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        default: '09:00',
        description: 'When you get the daily email',
      }),
    ),
    digest_timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        examples: ['Europe/Berlin'],
        description: 'The time zone of `digest_at`; UTC if it is unknown',
      }),
    ),
  },
  { additionalProperties: true },
)

const work = Type.Object(
  {
    after_done: Type.Optional(
      oneOf(['stay', 'next', 'list'], {
        default: 'stay',
        description: 'What the dashboard opens after you have sent a reply or closed a ticket',
      }),
    ),
    advances: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether `after_done` also applies to other changes that remove the open ticket from the list',
      }),
    ),
    send_way: Type.Optional(
      nullable(
        oneOf(['send', 'next', 'close', 'leave', 'snooze', 'later'], {
          description:
            'What the button to send a reply does. `null`: it sends, and the last choice is not remembered',
        }),
      ),
    ),
  },
  { additionalProperties: true },
)

export const accountSettings = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    { notifications: Type.Optional(notifications), work: Type.Optional(work) },
    { additionalProperties: true, maxProperties: 100 },
  ),
)
