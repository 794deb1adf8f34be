import { PencilIcon, TrashIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { day } from '../core/time.ts'
import { auth, takeAuth } from './auth.ts'
import { browserOf } from './browser.ts'
import { passkeysQuery } from './queries.ts'
import { RenamePasskey } from './rename-passkey.tsx'

export function Passkeys() {
  const { data = [] } = useQuery(passkeysQuery)
  const refresh = [passkeysQuery.queryKey]
  const add = useChange({
    send: () => takeAuth(() => auth.passkey.addPasskey({ name: browserOf(navigator.userAgent) })),
    refresh,
    onDone: () => showNotice(pageText.account.passkeyAdded),
  })
  const remove = useChange({
    send: (id: string) => takeAuth(() => auth.passkey.deletePasskey({ id })),
    expect: [
      { key: passkeysQuery.queryKey, next: (old: { id: string }[], id) => old.filter(one => one.id !== id) },
    ],
    refresh,
  })
  if (!('PublicKeyCredential' in window)) return null
  const action = (
    <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
      {pageText.account.passkeyAdd}
    </Button>
  )
  return (
    <Section title={pageText.account.passkeys} about={pageText.account.passkeysAbout} actions={action}>
      <Stack gap="xs">
        {data.length === 0 && <Text c="dimmed">{pageText.account.passkeyNone}</Text>}
        {data.map(passkey => (
          <PasskeyRow key={passkey.id} {...passkey} onRemove={() => remove.mutate(passkey.id)} />
        ))}
      </Stack>
    </Section>
  )
}

interface RowProps {
  id: string
  name?: string
  createdAt: Date
  onRemove(): void
}

function PasskeyRow({ id, createdAt, onRemove, ...passkey }: RowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const close = () => setRenaming(false)
  const name = passkey.name || pageText.account.passkeyUnnamed
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {pageText.account.added} {day(createdAt.toISOString())}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <ActionIcon aria-label={pageText.account.passkeyRenameOne(name)} onClick={() => setRenaming(true)}>
          <PencilIcon width={18} />
        </ActionIcon>
        <ActionIcon aria-label={pageText.account.passkeyRemove(name)} onClick={onRemove}>
          <TrashIcon width={18} />
        </ActionIcon>
      </Group>
      <Modal opened={isRenaming} onClose={close} title={pageText.account.passkeyRename}>
        <RenamePasskey id={id} name={name} onDone={close} />
      </Modal>
    </Group>
  )
}
