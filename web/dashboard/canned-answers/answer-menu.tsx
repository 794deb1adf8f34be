import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Loading } from '../core/states.tsx'
import type { ListedCannedAnswer } from '../messages/canned.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { AnswerForm } from './answer-form.tsx'
import { answerQuery, remove } from './queries.ts'
import { cannedAnswerKeys } from './query-keys.ts'

/** For one's own canned answers. Shared ones can be changed by admins only. */
export function AnswerMenu({ answer }: { answer: ListedCannedAnswer }) {
  const { id: project_id, role } = useProject()
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const removal = useChange({
    send: () => remove(project_id, answer.id),
    refresh: [cannedAnswerKeys.lists(project_id)],
  })
  if (answer.scope === 'shared' && !mayDo(role, 'admin')) return null
  const close = () => setOpen(null)
  const { title } = answer
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={pageText.cannedAnswers.actions(title)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('change')}>{pageText.cannedAnswers.change}</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {pageText.cannedAnswers.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={open === 'change'}
        onClose={close}
        title={pageText.cannedAnswers.changeTitle(title)}
        size="lg"
        closeOnClickOutside={false}
      >
        <Change id={answer.id} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={pageText.cannedAnswers.removeTitle(title)}
        about={pageText.cannedAnswers.removeAbout}
        action={pageText.cannedAnswers.remove}
        run={() => removal.mutate()}
      />
    </>
  )
}

/** Loads the whole answer first, because the list contains only the start of its text. */
function Change({ id, onDone }: { id: string; onDone(): void }) {
  const { data: answer } = useQuery(answerQuery(useProject().id, id))
  return answer ? <AnswerForm answer={answer} onDone={onDone} /> : <Loading />
}
