import Type from 'typebox'

/** What people choose in their account. Pages may add settings of their own. */

const notifications = Type.Object(
  {
    assigned_by_email: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether you get an email when somebody else assigns a ticket to you',
      }),
    ),
    mentioned_by_email: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether you get an email when a note mentions you' }),
    ),
    waiting_by_email: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether you get an email when a customer writes in a ticket of yours',
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
