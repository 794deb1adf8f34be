import Type, { type Static } from 'typebox'
import { id, nullable, time } from '../core/schema.ts'

export const newDevice = Type.Object({
  endpoint: Type.String({
    maxLength: 1_000,
    pattern: '^https?://',
    description: 'The URL at the push service of the browser',
  }),
  p256dh: Type.String({ pattern: '^B[\\w-]{86}$', description: 'The public key of the browser, base64url' }),
  auth: Type.String({ pattern: '^[\\w-]{22}$', description: 'The secret of the browser, base64url' }),
})
export type NewDevice = Static<typeof newDevice>

export const deviceList = Type.Object({
  public_key: Type.String({
    description: 'The key of this server (`applicationServerKey`) for the registration of a browser',
  }),
  items: Type.Array(
    Type.Object({
      id,
      user_agent: nullable(Type.String()),
      created_at: time,
      sent_at: nullable({
        ...time,
        description: 'When the push service of the browser last accepted a notification',
      }),
      is_current: Type.Boolean({ description: 'Whether it is the browser of this request' }),
    }),
  ),
})
export type DeviceList = Static<typeof deviceList>

export const testResult = Type.Object({
  is_sent: Type.Boolean({ description: 'Whether the push service accepted the notification' }),
  status_code: nullable(Type.Integer({ description: 'The response of the push service' })),
})
