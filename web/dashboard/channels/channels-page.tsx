import { PlusIcon } from '@heroicons/react/20/solid'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAction } from '../core/actions.ts'
import type { Icon } from '../core/icon.ts'
import { Page } from '../core/page.tsx'
import { Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'

interface Props<Row> {
  words: Record<'title' | 'about' | 'add', string>
  icon: Icon
  /** The page that adds one. */
  adding: string
  /** The id of the command that opens it. */
  commandId: string
  rows: Row[] | undefined
  showRow(row: Row): ReactNode
  empty: ReactNode
}

/** A list of mailboxes or bots, with a button that adds one. */
export function ChannelsPage<Row>({ words, icon, adding, commandId, rows, showRow, empty }: Props<Row>) {
  const navigate = useNavigate()
  const { title, about, add } = words
  const open = () => void navigate({ to: adding })
  useAction({ id: commandId, name: add, group: title, icon, run: open })
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={open}>
      {add}
    </Button>
  )
  return (
    <Page title={title} about={about} actions={action}>
      {!rows && <Loading />}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && <Rows label={title}>{rows.map(showRow)}</Rows>}
    </Page>
  )
}
