import { CheckIcon } from '@heroicons/react/16/solid'
import { Menu, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import type { OwnStatusChoice } from './own-status.ts'
import classes from './people.module.css'
import type { Person } from './queries.ts'

type Status = Person['status']

const plain: Status[] = ['online', 'away', 'dnd', 'offline']

interface Props {
  own: Person | undefined
  onChoose(choice: OwnStatusChoice): unknown
  onCustom(): void
}

/** The statuses in the menu of the person. */
export function StatusItems({ own, onChoose, onCustom }: Props) {
  return (
    <>
      <Menu.Label>{text.live.status}</Menu.Label>
      {plain.map(status => (
        <StatusItem
          key={status}
          status={status}
          isChosen={own?.status === status}
          onClick={() => onChoose({ status })}
        />
      ))}
      <StatusItem
        status="custom"
        isChosen={own?.status === 'custom'}
        words={own?.status === 'custom' ? `${own.status_emoji ?? ''} ${own.status_text ?? ''}`.trim() : ''}
        onClick={onCustom}
      />
    </>
  )
}

interface ItemProps {
  status: Status
  isChosen: boolean
  words?: string
  onClick(): void
}

const StatusItem = ({ status, isChosen, words, onClick }: ItemProps) => (
  <Menu.Item
    leftSection={<span className={classes.dot} data-status={status} aria-hidden />}
    rightSection={isChosen && <CheckIcon width={16} aria-hidden />}
    aria-current={isChosen || undefined}
    onClick={onClick}
  >
    <Text span truncate>
      {words || (status === 'custom' ? text.live.custom : text.live.statuses[status])}
    </Text>
  </Menu.Item>
)
