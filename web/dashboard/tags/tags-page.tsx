import { PlusIcon, TagIcon } from '@heroicons/react/20/solid'
import { Badge, Button, ColorSwatch, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { type Tag, tagsQuery } from './queries.ts'
import { TagForm } from './tag-form.tsx'
import { TagMenu } from './tag-menu.tsx'

export default function TagsPage() {
  const { id } = useProject()
  const { data: tags } = useQuery(tagsQuery(id))
  const [isCreating, setCreating] = useState(false)
  const close = () => setCreating(false)
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setCreating(true)}>
      {pageText.tags.create}
    </Button>
  )
  return (
    <Page title={pageText.tags.title} about={pageText.tags.about} actions={action}>
      {!tags && <Loading />}
      {tags?.length === 0 && (
        <Empty icon={TagIcon} title={pageText.tags.none} about={pageText.tags.noneAbout} />
      )}
      {tags && tags.length > 0 && (
        <Rows label={pageText.tags.title}>
          {tags.map(tag => (
            <TagRow key={tag.id} tag={tag} />
          ))}
        </Rows>
      )}
      <Modal opened={isCreating} onClose={close} title={pageText.tags.create}>
        <TagForm onDone={close} />
      </Modal>
    </Page>
  )
}

function TagRow({ tag }: { tag: Tag }) {
  const { role } = useProject()
  return (
    <Row aside={mayDo(role, 'admin') && <TagMenu tag={tag} />}>
      <Group gap={8}>
        <ColorSwatch color={tag.color ?? 'var(--line)'} size={14} aria-hidden />
        <Text fw={550}>{tag.name}</Text>
        {tag.is_changing && <Badge variant="default">{pageText.tags.changing}</Badge>}
      </Group>
    </Row>
  )
}
