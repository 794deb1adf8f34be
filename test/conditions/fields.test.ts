import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionTable } from '../../src/conditions/fields.ts'
import { priorities, ticketStatuses } from '../../src/tickets/schema.ts'

// The folder of conditions is below that of tickets, so it has its own lists.
test('conditions accept exactly the statuses and priorities of tickets', () => {
  assert.deepEqual(conditionTable.status.values, ticketStatuses)
  assert.deepEqual(conditionTable.priority.values, priorities)
})
