import { TrashIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tell } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { auth, takeAuth } from './auth.ts'
import { browserOf } from './browser.ts'
import { passkeysQuery } from './queries.ts'

export function Passkeys() {
  const { data = [] } = useQuery(passkeysQuery)
  const refresh = [passkeysQuery.queryKey]
  const add = useChange({
    send: () => takeAuth(() => auth.passkey.addPasskey({ name: browserOf(navigator.userAgent) })),
    refresh,
    onDone: () => tell(text.account.passkeyAdded),
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
      {text.account.passkeyAdd}
    </Button>
  )
  return (
    <Section title={text.account.passkeys} about={text.account.passkeysAbout} actions={action}>
      <Stack gap="xs">
        {data.length === 0 && <Text c="dimmed">{text.account.passkeyNone}</Text>}
        {data.map(({ id, name, createdAt }) => (
          <Group key={id} justify="space-between">
            <div>
              <Text fw={500}>{name || text.account.passkeyUnnamed}</Text>
              <Text size="sm" c="dimmed">
                {text.account.added} {day(createdAt.toISOString())}
              </Text>
            </div>
            <ActionIcon
              aria-label={text.account.passkeyRemove(name || text.account.passkeyUnnamed)}
              onClick={() => remove.mutate(id)}
            >
              <TrashIcon width={18} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
