import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { CopyField } from '../core/copy-field.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved, useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { dkimQuery, type Mailbox, mailboxPath } from './queries.ts'

type Keys = Shape<'DkimKeys'>
type CheckedKeys = Shape<'CheckedDkimKeys'>

/** The keys that Deskbell signs the emails of the mailbox's domain with. */
export function DkimSection({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const { data } = useQuery(dkimQuery({ project_id, mailbox_id: mailbox.id }))
  if (!data) return null
  const { title, about } = pageText.dkim
  return (
    <Section title={title} about={about(data.domain)}>
      {data.keys.length > 0 && (
        <Rows label={title}>
          {data.keys.map(key => (
            <KeyRow key={key.selector} shown={key} isSecond={key !== data.keys[0]} />
          ))}
        </Rows>
      )}
      <Actions mailbox={mailbox} keys={data} />
    </Section>
  )
}

function KeyRow({ shown, isSecond }: { shown: Keys['keys'][number]; isSecond: boolean }) {
  const { status, name, record, is_signing } = shown
  const texts = pageText.dkim
  return (
    <Row aside={<Badge variant="default">{texts.statuses[status]}</Badge>}>
      <Text size="sm">
        {texts.abouts[status]} {is_signing && texts.isSigning}
      </Text>
      <Stack gap="xs" mt="xs">
        {status !== 'published' && (
          <Text size="sm">
            {texts.publish} {isSecond && texts.replaces}
          </Text>
        )}
        <CopyField label={texts.name} value={name} />
        <CopyField label={texts.record} value={record} />
      </Stack>
    </Row>
  )
}

function Actions({ mailbox: { id: mailbox_id }, keys: { domain, keys } }: { mailbox: Mailbox; keys: Keys }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const path = { project_id, mailbox_id }
  const show = (found: Keys) => showSaved(client, dkimQuery(path).queryKey, found)
  const params = { path }
  const make = useChange({ send: () => take(api.POST(`${mailboxPath}/dkim`, { params })), onDone: show })
  const check = useChange<void, CheckedKeys>({
    send: () => take(api.POST(`${mailboxPath}/dkim/check`, { params })),
    onDone: show,
  })
  const remove = useChange({ send: () => take(api.DELETE(`${mailboxPath}/dkim`, { params })), onDone: show })
  const texts = pageText.dkim
  const mayMake = keys.every(({ status }) => status === 'published')
  return (
    <>
      <Group mt="md">
        {keys.length > 0 && (
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            {texts.check}
          </Button>
        )}
        {mayMake && (
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            {keys.length > 0 ? texts.replace : texts.make}
          </Button>
        )}
        {keys.length > 0 && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setAsking(true)}>
            {texts.remove}
          </Button>
        )}
      </Group>
      <Text size="sm" mt="sm" aria-live="polite">
        {check.data && !check.data.is_checked && !check.isPending && texts.notChecked}
      </Text>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={texts.removeTitle(domain)}
        about={texts.removeAbout}
        action={texts.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}
