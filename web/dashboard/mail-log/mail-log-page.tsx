import { InboxStackIcon } from '@heroicons/react/20/solid'
import { Modal, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { itemsOf, More } from '../core/more.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { MailDetails } from './mail-details.tsx'
import { MailSearch } from './mail-search.tsx'
import { type LoggedMail, type MailFilters, mailLogQuery, wordOutcome } from './queries.ts'
import { TicketLink } from './ticket-link.tsx'

const noFilters: MailFilters = { kind: '', mailbox_id: '', q: '' }

/** Every received email, and what became of it. */
export default function MailLogPage() {
  const { id } = useProject()
  const [filters, setFilters] = useState(noFilters)
  const [openId, setOpenId] = useState<string | null>(null)
  const list = useInfiniteQuery(mailLogQuery(id, filters))
  const mails = itemsOf<LoggedMail>(list.data)
  const isFiltered = Object.values(filters).some(Boolean)
  const { title, about, none, noneAbout, noneMatching, details } = pageText.mailLog
  return (
    <Page title={title} about={about}>
      <MailSearch filters={filters} onChange={change => setFilters({ ...filters, ...change })} />
      {!mails && <Loading />}
      {mails?.length === 0 && (
        <Empty icon={InboxStackIcon} title={none} about={isFiltered ? noneMatching : noneAbout} />
      )}
      {mails && mails.length > 0 && (
        <Rows label={title}>
          {mails.map(mail => (
            <MailRow key={mail.id} mail={mail} onOpen={() => setOpenId(mail.id)} />
          ))}
        </Rows>
      )}
      <More list={list} />
      <Modal opened={openId !== null} onClose={() => setOpenId(null)} title={details} size="xl">
        {openId && <MailDetails key={openId} mailId={openId} onOpen={setOpenId} />}
      </Modal>
    </Page>
  )
}

function MailRow({ mail, onOpen }: { mail: LoggedMail; onOpen(): void }) {
  const { subject, sender, ticket_id, received_at } = mail
  const { noSubject, noSender } = pageText.mailLog
  return (
    <Row aside={ticket_id && <TicketLink id={ticket_id} />}>
      <UnstyledButton onClick={onOpen} w="100%" style={{ overflowWrap: 'anywhere' }}>
        <Text fw={550} dir="auto">
          {subject || noSubject}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          <bdi>{sender || noSender}</bdi> · <When time={received_at} />
        </Text>
        <Text size="sm">{wordOutcome(mail)}</Text>
      </UnstyledButton>
    </Row>
  )
}
