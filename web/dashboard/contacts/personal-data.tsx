import { Button, Group, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { DeleteDialog } from '../personal-data/delete-dialog.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { contactNameOf } from '../tickets/names.ts'
import type { Contact } from './queries.ts'
import { contactKeys } from './query-keys.ts'

/** Exports and deletes the data of a contact, for admins and owners. */
export function PersonalData({ contact }: { contact: Contact }) {
  const { role } = useProject()
  const [isAsking, setAsking] = useState(false)
  const words = text.personalData
  if (!mayDo(role, 'admin')) return null
  const { id, workspace_id: projectId } = contact
  return (
    <section>
      <Title order={2} mb="xs" mt="lg">
        {words.section}
      </Title>
      <Text size="sm" mb="xs">
        {words.sectionAbout} {words.exportNote}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          component="a"
          href={`/api/dashboard/projects/${projectId}/contacts/${id}/export`}
          download
        >
          {words.exportData}
        </Button>
        <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
          {words.deleteContact}
        </Button>
      </Group>
      {isAsking && <DeleteContact contact={contact} onClose={() => setAsking(false)} />}
    </section>
  )
}

function DeleteContact({ contact, onClose }: { contact: Contact; onClose(): void }) {
  const { id, workspace_id: projectId } = contact
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = useCallback(async () => {
    showNotice(text.personalData.done)
    await navigate({ to: '/p/$projectId/contacts', params: { projectId } })
    client.removeQueries({ queryKey: contactKeys.contact(projectId, id) })
    void client.invalidateQueries({ queryKey: contactKeys.lists(projectId) })
  }, [client, navigate, projectId, id])
  const name = contactNameOf(contact)
  return (
    <DeleteDialog
      record={{ projectId, kind: 'contact', id }}
      title={text.personalData.contactTitle(name)}
      words={name}
      onClose={onClose}
      onDone={leave}
    />
  )
}
