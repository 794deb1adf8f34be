import { NoSymbolIcon, PlusIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Badge, Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { itemsOf, More } from '../core/more.tsx'
import { showNotice } from '../core/notice.ts'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { removeSenderRule, type SenderRule, senderRulesQuery } from './queries.ts'
import { senderKeys } from './query-keys.ts'
import { SenderForm } from './sender-form.tsx'

/** The sender rules: whose emails are only logged, and whose are never marked as spam. */
export default function SendersPage() {
  const { id } = useProject()
  const [words, setWords] = useState('')
  const [settled] = useDebouncedValue(words.trim(), 200)
  const [isAdding, setAdding] = useState(false)
  const list = useInfiniteQuery(senderRulesQuery(id, settled))
  const rules = itemsOf<SenderRule>(list.data)
  const { title, about, add, search, none, noneAbout } = pageText.senderRules
  const close = () => setAdding(false)
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setAdding(true)}>
      {add}
    </Button>
  )
  return (
    <Page title={title} about={about} actions={action}>
      <TextInput
        type="search"
        mb="md"
        aria-label={search}
        placeholder={search}
        maxLength={254}
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
      {!rules && <Loading />}
      {rules?.length === 0 && <Empty icon={NoSymbolIcon} title={none} about={noneAbout} />}
      {rules && rules.length > 0 && (
        <Rows label={title}>
          {rules.map(rule => (
            <RuleRow key={rule.id} rule={rule} />
          ))}
        </Rows>
      )}
      <More list={list} />
      <Modal opened={isAdding} onClose={close} title={add}>
        <SenderForm onDone={close} />
      </Modal>
    </Page>
  )
}

function RuleRow({ rule }: { rule: SenderRule }) {
  const { id: projectId } = useProject()
  const { id, pattern, verdict, author_type, author_name, created_at } = rule
  const { verdicts, byPerson, byApi, remove, removed } = pageText.senderRules
  const removing = useChange({
    send: () => removeSenderRule(projectId, id),
    refresh: [senderKeys.rules(projectId)],
    onDone: () => showNotice(removed(pattern)),
  })
  const author = author_name ? byPerson(author_name) : author_type === 'api' && byApi
  return (
    <Row
      aside={
        <ActionIcon
          aria-label={remove(pattern)}
          loading={removing.isPending}
          onClick={() => removing.mutate()}
        >
          <XMarkIcon width={18} aria-hidden />
        </ActionIcon>
      }
    >
      <Group gap={8}>
        <Text fw={550} dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {pattern}
        </Text>
        <Badge variant="default">{verdicts[verdict]}</Badge>
      </Group>
      <Text size="sm" c="dimmed" component="div">
        <When time={created_at} /> {author}
      </Text>
    </Row>
  )
}
