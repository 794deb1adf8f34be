import Type from 'typebox'
import { nullable, oneOf, time } from '../../../core/schema.ts'
import { keyStatuses } from './dkim-queries.ts'

/** The shapes of signing keys (DKIM). */

const key = Type.Object({
  selector: Type.String({ examples: ['deskbell-1f2e3d4c'] }),
  name: Type.String({
    description: 'The name of the TXT record to publish',
    examples: ['deskbell-1f2e3d4c._domainkey.example.com'],
  }),
  record: Type.String({
    description: 'The content of the TXT record, with the public key',
    examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkq'],
  }),
  status: oneOf(keyStatuses, {
    description:
      'The result of the last look-up. `new`: not looked up yet. `published`: the record is correct. `missing`: there is no record. `differs`: the record contains another key',
  }),
  is_signing: Type.Boolean({ description: 'Whether emails are signed with this key' }),
  checked_at: nullable(time),
  created_at: time,
})

const shape = {
  domain: Type.String({ examples: ['example.com'] }),
  keys: Type.Array(key, {
    description: 'Oldest first. The second key replaces the first one when its record is published',
  }),
}

export const dkimKeys = Type.Object(shape)
export const checkedDkimKeys = Type.Object({
  ...shape,
  is_checked: Type.Boolean({ description: 'Whether the DNS records could be looked up' }),
})
