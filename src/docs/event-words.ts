/** Explanations of events in addition to the catalogue. */

/** When an optional field is present, by `event.field`. */
const presence: Record<string, string> = {
  'ticket.updated.workspace_id': 'after PATCH',
  'ticket.updated.status':
    'with `cause` `contact_reply`, `snooze_ended`, `auto_close`, `operator_reply` and `undone`, if it changed',
  'ticket.updated.previous_status': 'with `status`',
  'ticket.updated.cause': 'always, except after PATCH',
  'ticket.updated.merged_into_id': 'with `cause` `merged`, on the ticket that was merged',
  'ticket.updated.merged_ticket_id': 'with `cause` `merged`, on the ticket it was merged into',
  'ticket.updated.contact_id':
    'with `cause` `contact_merged`, `contact_unmerged` and `identity_moved`: the contact it belongs to now',
  'ticket.updated.previous_contact_id':
    'with `cause` `contact_merged`, `contact_unmerged` and `identity_moved`: the contact it belonged to',
  'ticket.rated.comment': 'when the rating came through the API',
  'billing.plan_changed.amount': 'when the new plan is paid',
  'billing.plan_changed.new_balance': 'when the new plan is paid',
  'billing.plan_changed.reason': 'when a trial became a paid plan',
  'billing.plan_downgraded.reason': 'when a trial ended unpaid',
  'billing.balance_low.trigger': 'when somebody requested the renewal',
}

/** Throws if an optional field has no explanation. */
export function presenceOf(event: string, field: string): string {
  const words = presence[`${event}.${field}`]
  if (!words) throw new Error(`src/docs/event-words.ts does not say when ${event} has the field ${field}`)
  return words
}

/** Remarks below the table of an event. */
export const remarks: Record<string, string> = {
  'ticket.updated': `\`cause\` says why the ticket changed, unless it was changed by PATCH:

- \`contact_reply\`: the contact has written, and the ticket is open again. If it was closed, \`ticket.reopened\` follows.
- \`snooze_ended\`: the time in \`snoozed_until\` was reached, and the ticket is open again.
- \`auto_close\`: a pending ticket was closed because the contact did not answer; \`ticket.closed\` follows.
- \`operator_reply\`: an operator has replied. The ticket got the status that the project has chosen for this, or was assigned to the operator.
- \`assigned\`: the ticket was taken, assigned or transferred in the dashboard; \`ticket.assigned\` or \`ticket.transferred\` follows.
- \`operator_removed\`: the operator of the ticket has left the project.
- \`merged\`, \`unmerged\`: this ticket was merged into another one or another one into it, or the merge was undone. The event is
  emitted for both tickets, without \`status\`.
- \`contact_merged\`: its contact was merged into another one. The event is emitted for closed tickets too.
- \`contact_unmerged\`: a merge of contacts was undone, and the ticket belongs to the first contact again.
- \`identity_moved\`: the identity that its contact used was moved to another contact, and the ticket with it.
- \`tag_changed\`: a tag of this ticket was renamed, merged or deleted. Closed tickets and contacts change without an event.
- \`undone\`: an earlier change was undone. \`ticket.reopened\`, \`ticket.closed\`, \`ticket.assigned\` or \`ticket.transferred\` follows if it applies.
- \`split\`: messages of this ticket were moved to a new one; there is no \`status\`.
- \`message_moved\`: a message was moved from this ticket to another one, or from another one to it. The event is emitted for both
  tickets, without \`status\`.

More causes may be added. After PATCH, the event does not contain the changes, and is emitted even if nothing has changed.
\`ticket.transferred\`, \`ticket.assigned\` and \`ticket.closed\` follow it if the department or operator changed, or the ticket was closed.`,
  'ticket.rated': `\`comment\` is null if the rating has none.`,
  'message.created': `\`content\` is the full text. The sender \`bot\` is a program that used the API, perhaps yours: a bot must not reply to itself.`,
  'message.reaction.added': `\`GET /api/v1/messages/{message_id}\` returns the ticket and all reactions.`,
  'message.reaction.removed': 'There is no event when an operator removes a reaction.',
  'billing.payment_received': `\`method\` is \`bank_transfer\`, or Stripe's name for the method, such as \`card\`. A payment that arrives
after \`billing.payment_failed\` of the same order is still credited.`,
  'billing.plan_changed': `\`reason\` is \`trial_ended\` or, when somebody paid before the end, \`trial_paid\`. For a plan without an
end date, which is always a free one, \`expires_at\` is null.`,
  'billing.plan_downgraded': `\`reason\` is \`trial_unpaid\`. The entry plan has no end date, so \`expires_at\` is null.`,
  'webhook.test': `\`POST /api/v1/webhooks/{id}/test\` sends it. With a body such as \`{"event": "ticket.created"}\` it sends that event instead,
with the sample data of this page and \`"test": true\` in \`data\`; the ids and \`_links\` of a test do not exist.`,
}
