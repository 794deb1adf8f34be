import { KeyIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Empty } from '../core/empty.tsx'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { CreateKey } from './create-key.tsx'
import { KeyRow } from './key-row.tsx'
import { keysQuery } from './queries.ts'

export default function KeysPage() {
  const { id } = useProject()
  const { data: keys } = useQuery(keysQuery(id))
  const [isCreating, setCreating] = useState(false)
  const open = () => setCreating(true)
  const close = () => setCreating(false)
  useAction({
    id: 'create key',
    name: pageText.keys.createTitle,
    group: pageText.keys.title,
    icon: KeyIcon,
    run: open,
  })
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={open}>
      {pageText.keys.create}
    </Button>
  )
  return (
    <Page title={pageText.keys.title} about={pageText.keys.about} actions={action}>
      {!keys && <Loading />}
      {keys?.length === 0 && (
        <Empty icon={KeyIcon} title={pageText.keys.none} about={pageText.keys.noneAbout} />
      )}
      {keys && keys.length > 0 && (
        <Rows label={pageText.keys.title}>
          {keys.map(key => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </Rows>
      )}
      <HoldingDialog opened={isCreating} onClose={close} title={pageText.keys.createTitle} size="lg">
        <CreateKey onDone={close} />
      </HoldingDialog>
    </Page>
  )
}
