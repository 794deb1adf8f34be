import { Badge, Button, Code, Text } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { CopyField } from '../core/copy-field.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { type Mailbox, mailboxPath, type SenderRecord } from './queries.ts'

/** The section's id. */
export const senderChecks = 'sender-checks'

/** Whether recipients can check that the mailbox may send for its domain. */
export function SenderDomain({ mailbox: { id: mailbox_id, address } }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, mailbox_id } }
  const { data, isPending, mutate } = useChange({
    send: () => take(api.GET(`${mailboxPath}/sender-domain`, { params })),
  })
  const { title, about, check, checking } = pageText.senderDomain
  return (
    <Section id={senderChecks} title={title} about={about(address.slice(address.lastIndexOf('@') + 1))}>
      <div aria-live="polite">
        {isPending && <Text size="sm">{checking}</Text>}
        {data && !isPending && (
          <Rows label={title}>
            {data.records.map(record => (
              <DomainRecord key={record.kind} record={record} provider={data.provider} />
            ))}
          </Rows>
        )}
      </div>
      <Button mt="md" variant="default" loading={isPending} onClick={() => mutate()}>
        {check}
      </Button>
    </Section>
  )
}

/** A code of a newer server has no text here. */
function DomainRecord({ record: shown, provider }: { record: SenderRecord; provider: string | null }) {
  const { kind, status, code, values, record, publish } = shown
  const { kinds, statuses, advice, found, guides, recordLabel } = pageText.senderDomain
  return (
    <Row aside={<Badge variant="default">{statuses[status]}</Badge>}>
      <Text fw={550}>{kinds[kind]}</Text>
      <Text size="sm">{advice[code]?.(values)}</Text>
      {code === 'dkim_missing' && provider && <Text size="sm">{guides[provider]?.(values)}</Text>}
      {record && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {found} <Code>{record}</Code>
        </Text>
      )}
      {publish.map(({ type, name, content }) => (
        <CopyField key={name} label={recordLabel(type, name)} value={content} />
      ))}
    </Row>
  )
}
