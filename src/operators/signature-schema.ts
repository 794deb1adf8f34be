import Type, { type Static } from 'typebox'

/** The signature of the signed-in operator. */
export const ownSignature = Type.Object(
  {
    signature: Type.String({ maxLength: 10_000, description: 'Plain text', examples: ['Omar Haddad, Acme'] }),
  },
  { additionalProperties: false },
)
export type OwnSignature = Static<typeof ownSignature>
