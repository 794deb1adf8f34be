import Type from 'typebox'
import { nullable } from '../core/schema.ts'

export const signInMethods = Type.Object({
  oidc_name: nullable(Type.String({ description: 'The name of the provider; null if there is none' })),
  sends_mail: Type.Boolean({ description: 'Whether a forgotten password can be reset by email' }),
  takes_passwords: Type.Boolean({
    description: 'Whether people may sign in with a password or a passkey; if false, only at the provider',
  }),
})

export const resetRequest = Type.Object(
  { email: Type.String({ format: 'email' }) },
  { additionalProperties: false },
)
