import { Button, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { When } from '../core/when.tsx'
import { printSize } from '../messages/attachments.ts'
import { EmailSource } from '../messages/email-source.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { SenderButtons } from '../senders/sender-buttons.tsx'
import { MailDecision } from './mail-decision.tsx'
import { type LoggedMailDetails, loggedMailQuery, rawMailUrl, wordChanges, wordOutcome } from './queries.ts'
import { TicketLink } from './ticket-link.tsx'

interface Props {
  mailId: string
  /** Opens another entry. */
  onOpen(mailId: string): void
}

/** An entry of the mail log: what became of the email and why, its source, and what can be done with it. */
export function MailDetails({ mailId: mail_id, onOpen }: Props) {
  const { id: project_id, role } = useProject()
  const path = { project_id, mail_id }
  const { data: mail } = useQuery(loggedMailQuery(path))
  const [isSourceShown, setSourceShown] = useState(false)
  if (!mail) return <Loading />
  return (
    <Stack gap="md">
      <Facts mail={mail} onOpen={onOpen} />
      <Group>
        {mail.ticket_id && <TicketLink id={mail.ticket_id} />}
        {mail.has_raw && !isSourceShown && (
          <Button variant="default" size="xs" onClick={() => setSourceShown(true)}>
            {text.email.source}
          </Button>
        )}
      </Group>
      {!mail.has_raw && <Text size="sm">{text.email.rawNone}</Text>}
      {isSourceShown && <EmailSource url={rawMailUrl(path)} />}
      {mail.state !== 'stored' && <MailDecision mail={mail} />}
      {mail.sender && mail.outcome !== 'loop' && mayDo(role, 'admin') && (
        <SenderButtons address={mail.sender} />
      )}
    </Stack>
  )
}

const classTexts: Record<string, string> = text.email.classes

/** The value after `in_reply_to: `. */
const readValue = (evidence: string): string => evidence.slice(evidence.indexOf(': ') + 2)

function Facts({ mail, onOpen }: { mail: LoggedMailDetails; onOpen: Props['onOpen'] }) {
  const words = pageText.mailLog
  const { reason, evidence, duplicate_of_id, is_partial } = mail
  const size = printSize(mail.size)
  return (
    <Table layout="fixed" verticalSpacing={4} style={{ overflowWrap: 'anywhere' }}>
      <Table.Tbody aria-live="polite">
        <Fact name={text.email.subject}>{mail.subject || words.noSubject}</Fact>
        <Fact name={words.from}>{mail.sender || words.noSender}</Fact>
        <Fact name={words.to}>{mail.envelope.to.join(', ')}</Fact>
        <Fact name={words.received}>
          <When time={mail.received_at} />
        </Fact>
        <Fact name={words.outcome}>{wordOutcome(mail)}</Fact>
        <Fact name={words.reason}>{reason && (classTexts[reason] ?? reason)}</Fact>
        <Fact name={words.evidence}>{evidence && readValue(evidence)}</Fact>
        <Fact name={words.error}>{mail.last_error}</Fact>
        <Fact name={words.lastReading}>{mail.changes && wordChanges(mail.changes)}</Fact>
        <Fact name={words.duplicate}>
          {duplicate_of_id && (
            <UnstyledButton td="underline" onClick={() => onOpen(duplicate_of_id)}>
              {words.showDuplicate}
            </UnstyledButton>
          )}
        </Fact>
        <Fact name={words.size}>{is_partial ? words.partial(size) : size}</Fact>
        <Fact name={words.messageId}>{mail.header_id}</Fact>
      </Table.Tbody>
    </Table>
  )
}

/** Omitted without a value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <Table.Tr>
      <Table.Th scope="row" w="30%">
        {name}
      </Table.Th>
      <Table.Td dir="auto">{children}</Table.Td>
    </Table.Tr>
  )
}
