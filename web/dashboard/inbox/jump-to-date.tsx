import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { itemsOf, makeGroup, withAll } from './conditions/condition.ts'
import { useConditions } from './inbox.ts'
import { useOrder } from './order.ts'

/** Filters the list so that it starts with the tickets of a day, in its order. */
export function JumpToDate({ onDone }: { onDone(): void }) {
  const [date, setDate] = useState('')
  const { sort } = useOrder()
  const { conditions, change } = useConditions()
  const { jump, jumpTo } = pageText.ticketList
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!date) return
    const field = sort.replace('-', '')
    const others = itemsOf(conditions).filter(one => !('field' in one && one.field === field))
    const leaf = sort.startsWith('-')
      ? { field, op: 'before', value: dayAfter(date) }
      : { field, op: 'after', value: date }
    onDone()
    const kept = conditions.all ? { all: others } : conditions
    change(withAll([leaf], kept) ?? makeGroup('all', [leaf]))
  }
  return (
    <form onSubmit={submit}>
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          size="sm"
          type="date"
          label={jump}
          value={date}
          onChange={event => setDate(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" size="sm" disabled={!date}>
          {jumpTo}
        </Button>
      </Group>
    </form>
  )
}

/** The next day, as `YYYY-MM-DD`. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
