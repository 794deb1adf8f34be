import { PlusIcon } from '@heroicons/react/16/solid'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { tagsQuery } from '../../tags/queries.ts'
import { findKnown } from '../../tickets/cache.ts'
import { TagDot } from '../../tickets/marks.tsx'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { applyEach } from './apply.ts'

const isOn = (tickets: Ticket[], tag: string): boolean => tickets.every(({ tags }) => tags.includes(tag))

/** The ticket as it is after the choices made here, which the server may not have stored yet. */
const withTags = (ticket: Ticket, made: ReadonlyMap<string, boolean>): Ticket => {
  const kept = ticket.tags.filter(tag => made.get(tag) !== false)
  const added = [...made].flatMap(([tag, isMade]) => (isMade && !kept.includes(tag) ? [tag] : []))
  return { ...ticket, tags: [...kept, ...added] }
}

/** Each choice adds or removes a tag; an unknown name creates one. */
export function Tags({ tickets: given }: { tickets: Ticket[] }) {
  const [words, setWords] = useState('')
  const [made, setMade] = useState<ReadonlyMap<string, boolean>>(new Map())
  const tickets = given.map(one => withTags(findKnown(one.workspace_id, one.id) ?? one, made))
  const { data: known = [] } = useQuery(tagsQuery(tickets[0]!.workspace_id))
  const names = [...new Set([...tickets.flatMap(({ tags }) => tags), ...known.map(({ name }) => name)])]
  const typed = words.trim()
  const fitting = names.filter(name => name.toLocaleLowerCase().includes(typed.toLocaleLowerCase()))
  const colorOf = new Map(known.map(({ name, color }) => [name, color]))
  const choices = fitting.map(name => ({
    id: name,
    label: name,
    icon: <TagDot color={colorOf.get(name) ?? null} />,
    isChosen: isOn(tickets, name),
  }))
  const isNew = typed !== '' && !names.includes(typed)
  const added = { id: typed, label: text.actions.newTag(typed), icon: <PlusIcon width={16} aria-hidden /> }
  const choose = (tag: string) => {
    const isOff = isOn(tickets, tag)
    applyEach(tickets, ({ tags }) => {
      const others = tags.filter(one => one !== tag)
      return { tags: isOff ? others : [...others, tag] }
    })
    setMade(new Map([...made, [tag, !isOff]]))
  }
  return (
    <Picker
      isMulti
      title={text.inbox.tags}
      choices={isNew ? [...choices, added] : choices}
      onSearch={setWords}
      onChoose={choose}
      onClose={closeTicketDialog}
    />
  )
}
