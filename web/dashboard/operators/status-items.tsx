import { CheckIcon } from '@heroicons/react/16/solid'
import { Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import classes from './people.module.css'
import { type Person, peopleQuery } from './queries.ts'

type Status = Person['status']

export interface OwnStatusChoice {
  status: Status
  text?: string | null
  emoji?: string | null
  until?: string | null
}

export function useOwnStatus(project_id: string, operatorId: string) {
  const { data } = useQuery({ ...peopleQuery(project_id), enabled: project_id !== '' })
  const choose = useChange({
    send: (body: OwnStatusChoice) =>
      take(api.PUT('/projects/{project_id}/me/status', { params: { path: { project_id } }, body })),
    refresh: [['people', project_id]],
  })
  return { own: data?.find(({ id }) => id === operatorId), choose: choose.mutateAsync }
}

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
