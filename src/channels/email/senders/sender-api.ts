import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { createSenderRule, deleteSenderRule, pageSenderRules } from './sender-rules.ts'
import { senderRule, senderRuleInput, senderRuleList, senderRuleQuery } from './sender-schema.ts'

const tag = 'E-mail'
const minRole = 'admin'

export const senderEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sender-rules',
    tag,
    summary: 'List blocked and allowed senders',
    description: 'The sender rules, newest first.',
    minRole,
    query: senderRuleQuery,
    responses: { 200: senderRuleList },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, query }) => pageSenderRules(db, project.id, query),
  }),
  endpoint({
    method: 'POST',
    path: '/sender-rules',
    tag,
    summary: 'Block or allow a sender',
    description:
      'From now on, emails from a blocked sender are only logged, with the outcome `sender_blocked`. A rule with the same pattern is replaced. The most specific rule for a sender counts: an address before its domain, and a domain before the one above it. A project can have 10,000 rules.',
    minRole,
    body: senderRuleInput,
    responses: { 201: senderRule },
    errors: ['VALIDATION_ERROR'],
    run: call => createSenderRule(call.db, call, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/sender-rules/{rule_id}',
    tag,
    summary: 'Delete a sender rule',
    description:
      'Emails that were only logged because of the rule can be handled again with `POST /mail-log/{mail_id}/reparse`.',
    minRole,
    responses: { 204: null },
    errors: ['sender_rule_not_found'],
    run: call => deleteSenderRule(call.db, call, call.params.rule_id!),
  }),
]
