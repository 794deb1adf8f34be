import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time } from '../../../core/schema.ts'

/** Shapes of the sender rules. */

const pattern = text(254, {
  minLength: 1,
  description: 'An address, or a domain with its subdomains. Case is ignored',
  examples: ['newsletters.example'],
})

const verdict = oneOf(['allowed', 'blocked'] as const, {
  description:
    '`blocked`: emails from this sender are only logged. `allowed`: they are not marked as spam, whatever the spam headers say',
})

export const senderRule = Type.Object({
  id,
  pattern,
  verdict,
  author_type: oneOf(['operator', 'api', 'cli', 'system'] as const, { description: 'Who made the rule' }),
  author_id: nullable(id),
  author_name: nullable(Type.String({ description: 'The name of the operator', examples: ['Olga'] })),
  created_at: time,
})
export type SenderRule = Static<typeof senderRule>
export type SenderVerdict = SenderRule['verdict']
export const senderRuleList = list(senderRule)

export const senderRuleInput = Type.Object({ pattern, verdict })
export type SenderRuleInput = Static<typeof senderRuleInput>

export const senderRuleQuery = Type.Object({
  ...paging,
  verdict: Type.Optional(verdict),
  q: Type.Optional(text(254, { description: 'Part of the pattern', examples: ['example'] })),
})
export type SenderRuleQuery = Static<typeof senderRuleQuery>
