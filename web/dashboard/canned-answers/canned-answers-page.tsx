import { ChatBubbleBottomCenterTextIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Badge, Button, Code, Group, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { cannedQuery, type ListedCannedAnswer } from '../messages/canned.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { AnswerForm } from './answer-form.tsx'
import { AnswerMenu } from './answer-menu.tsx'

export default function CannedAnswersPage() {
  const { id } = useProject()
  const [words, setWords] = useState('')
  const [settled] = useDebouncedValue(words.trim(), 200)
  const { data: answers } = useQuery(cannedQuery(id, settled))
  const [isCreating, setCreating] = useState(false)
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setCreating(true)}>
      {pageText.cannedAnswers.create}
    </Button>
  )
  return (
    <Page title={pageText.cannedAnswers.title} about={pageText.cannedAnswers.about} actions={action}>
      <TextInput
        type="search"
        mb="md"
        aria-label={pageText.cannedAnswers.search}
        placeholder={pageText.cannedAnswers.search}
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
      <Answers answers={answers} isSearch={settled !== ''} />
      <Modal
        opened={isCreating}
        onClose={() => setCreating(false)}
        title={pageText.cannedAnswers.create}
        size="lg"
        closeOnClickOutside={false}
      >
        <AnswerForm onDone={() => setCreating(false)} />
      </Modal>
    </Page>
  )
}

interface AnswersProps {
  answers: ListedCannedAnswer[] | undefined
  isSearch: boolean
}

function Answers({ answers, isSearch }: AnswersProps) {
  const { none, noneAbout, noneFound, noneFoundAbout } = pageText.cannedAnswers
  if (!answers) return <Loading />
  if (answers.length === 0)
    return (
      <Empty
        icon={ChatBubbleBottomCenterTextIcon}
        title={isSearch ? noneFound : none}
        about={isSearch ? noneFoundAbout : noneAbout}
      />
    )
  return (
    <Rows label={pageText.cannedAnswers.title}>
      {answers.map(answer => (
        <AnswerRow key={answer.id} answer={answer} />
      ))}
    </Rows>
  )
}

function AnswerRow({ answer }: { answer: ListedCannedAnswer }) {
  const { id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const department = departments.find(one => one.id === answer.department_id)
  return (
    <Row aside={<AnswerMenu answer={answer} />}>
      <Group gap={8}>
        <Text fw={550}>{answer.title}</Text>
        <Code>{`/${answer.shortcut}`}</Code>
        <Badge variant="default">{department?.name ?? pageText.cannedAnswers.scopes[answer.scope]}</Badge>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {answer.excerpt}
      </Text>
    </Row>
  )
}
