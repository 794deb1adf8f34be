import { InboxIcon } from '@heroicons/react/20/solid'
import { Empty } from '../core/empty.tsx'
import { EmptyAction } from '../core/empty-action.tsx'
import { pageText } from '../core/page-text.ts'
import { useInboxPlace, useView } from './inbox.ts'

/** The next step of each empty view: the id of an action, and its label. Other views need none. */
const actions: Record<string, [id: string, label: keyof typeof pageText.emptyViews.actions]> = {
  mine: ['view unassigned', 'unassigned'],
  open: ['new ticket', 'create'],
  all: ['new ticket', 'create'],
  my_departments: ['view open', 'open'],
  late: ['view open', 'open'],
}

/** A view without any tickets: what would be in it, and what to do now. */
export default function NoTickets() {
  const view = useView()
  const { view: id } = useInboxPlace()
  const words = pageText.emptyViews
  const kind = view?.kind ?? id
  const action = actions[kind]
  return (
    <Empty
      icon={InboxIcon}
      title={words.titles[kind] ?? words.title}
      about={words.abouts[kind] ?? words.about}
    >
      {action && <EmptyAction id={action[0]} label={words.actions[action[1]]} />}
    </Empty>
  )
}
