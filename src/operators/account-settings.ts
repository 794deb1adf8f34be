import Type from 'typebox'

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
  },
  { additionalProperties: true },
)

export const accountSettings = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    { notifications: Type.Optional(notifications) },
    { additionalProperties: true, maxProperties: 100 },
  ),
)
