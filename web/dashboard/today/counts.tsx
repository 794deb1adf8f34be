import {
  ArchiveBoxIcon,
  AtSymbolIcon,
  BellSnoozeIcon,
  ClockIcon,
  InboxIcon,
  UserIcon,
} from '@heroicons/react/20/solid'
import { Title } from '@mantine/core'
import { printNumber } from '../core/format.ts'
import { Go } from '../core/go.tsx'
import type { Icon } from '../core/icon.ts'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import classes from './day.module.css'
import type { Day } from './queries.ts'

type Item = Day['items'][number]

const icons: Record<Item['kind'], Icon> = {
  mine: UserIcon,
  my_departments: InboxIcon,
  unread_mentions: AtSymbolIcon,
  late: ClockIcon,
  my_snoozed: BellSnoozeIcon,
  my_closed: ArchiveBoxIcon,
}

/** Numbers of tickets, each a link to the list of these tickets. */
export function Counts({ items }: { items: Item[] }) {
  return (
    <section>
      <Title order={3} className="hidden">
        {pageText.today.tickets}
      </Title>
      <ul className={classes.counts}>
        {items.map(item => (
          <Count key={item.kind} item={item} />
        ))}
      </ul>
    </section>
  )
}

function Count({ item: { kind, count, is_capped } }: { item: Item }) {
  const { id } = useProject()
  const Sign = icons[kind]
  const number = printNumber(count)
  return (
    <li>
      <Go to={`/p/${id}/inbox/${kind}`} className={classes.count} data-kind={kind} data-empty={count === 0}>
        <Sign aria-hidden />
        <span className={classes.number}>{is_capped ? pageText.today.more(number) : number}</span>{' '}
        <span>{kind === 'mine' ? text.inbox.mine : text.inbox.dayViews[kind]}</span>
      </Go>
    </li>
  )
}
