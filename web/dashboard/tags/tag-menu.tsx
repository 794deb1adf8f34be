import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { viewKeys } from '../views/query-keys.ts'
import { type Tag, tagsQuery } from './queries.ts'
import { TagForm } from './tag-form.tsx'

export function TagMenu({ tag }: { tag: Tag }) {
  const { id: project_id } = useProject()
  const [open, setOpen] = useState<'change' | 'merge' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const remove = useChange({
    send: () =>
      take(
        api.DELETE('/projects/{project_id}/tags/{tag_id}', {
          params: { path: { project_id, tag_id: tag.id } },
        }),
      ),
    refresh: [tagsQuery(project_id).queryKey, viewKeys.list(project_id)],
  })
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={pageText.tags.actions(tag.name)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('change')}>{pageText.tags.edit}</Menu.Item>
          <Menu.Item onClick={() => setOpen('merge')}>{pageText.tags.merge}</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {pageText.tags.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'change'} onClose={close} title={pageText.tags.editTitle(tag.name)}>
        <TagForm tag={tag} onDone={close} />
      </Modal>
      <Modal opened={open === 'merge'} onClose={close} title={pageText.tags.mergeTitle(tag.name)}>
        <MergeTag tag={tag} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={pageText.tags.removeTitle(tag.name)}
        about={pageText.tags.removeAbout}
        action={pageText.tags.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}

function MergeTag({ tag, onDone }: { tag: Tag; onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { data: tags = [] } = useQuery(tagsQuery(project_id))
  const sending = useSending({
    initialValues: { into_tag_id: '' as string | null },
    validate: { into_tag_id: value => (value ? null : text.problems.missing) },
    send: ({ into_tag_id }) =>
      take(
        api.POST('/projects/{project_id}/tags/{tag_id}/merge', {
          params: { path: { project_id, tag_id: tag.id } },
          body: { into_tag_id: into_tag_id! },
        }),
      ),
    onDone: () => {
      void client.invalidateQueries({ queryKey: tagsQuery(project_id).queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={pageText.tags.mergeDo}>
      <Select
        label={pageText.tags.mergeInto}
        searchable
        data={tags.filter(one => one.id !== tag.id).map(one => ({ value: one.id, label: one.name }))}
        {...sending.form.getInputProps('into_tag_id')}
      />
    </Form>
  )
}
