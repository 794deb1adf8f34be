import { ArrowDownIcon, ArrowUpIcon, PlusIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Badge, Button, Code, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Field, fieldsQuery } from '../contacts/queries.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { FieldForm } from './field-form.tsx'
import { FieldMenu } from './field-menu.tsx'
import { useMove } from './move.ts'

const records = ['ticket', 'contact', 'organization'] as const

export default function CustomFieldsPage() {
  const { id } = useProject()
  const { data: fields } = useQuery(fieldsQuery(id))
  const [isCreating, setCreating] = useState(false)
  const close = () => setCreating(false)
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setCreating(true)}>
      {pageText.customFields.create}
    </Button>
  )
  return (
    <Page title={pageText.customFields.title} about={pageText.customFields.about} actions={action}>
      {!fields && <Loading />}
      {fields &&
        records.map(record => (
          <Section key={record} title={pageText.customFields.records[record]}>
            <Fields fields={fields.filter(field => field.record === record)} />
          </Section>
        ))}
      <Modal opened={isCreating} onClose={close} title={pageText.customFields.create}>
        <FieldForm onDone={close} />
      </Modal>
    </Page>
  )
}

function Fields({ fields }: { fields: Field[] }) {
  const { id } = useProject()
  const { move } = useMove(id, fields)
  if (fields.length === 0) return <Text c="dimmed">{pageText.customFields.none}</Text>
  return (
    <Rows label={pageText.customFields.records[fields[0]!.record]}>
      {fields.map((field, at) => (
        <FieldRow
          key={field.id}
          field={field}
          isFirst={at === 0}
          isLast={at === fields.length - 1}
          onMove={by => move({ field, by })}
        />
      ))}
    </Rows>
  )
}

interface RowProps {
  field: Field
  isFirst: boolean
  isLast: boolean
  onMove(by: -1 | 1): void
}

function FieldRow({ field, isFirst, isLast, onMove }: RowProps) {
  const aside = (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        aria-label={pageText.customFields.up(field.label)}
        aria-disabled={isFirst}
        onClick={() => isFirst || onMove(-1)}
      >
        <ArrowUpIcon width={18} />
      </ActionIcon>
      <ActionIcon
        aria-label={pageText.customFields.down(field.label)}
        aria-disabled={isLast}
        onClick={() => isLast || onMove(1)}
      >
        <ArrowDownIcon width={18} />
      </ActionIcon>
      <FieldMenu field={field} />
    </Group>
  )
  return (
    <Row aside={aside}>
      <Group gap={8}>
        <Text fw={550}>{field.label}</Text>
        <Code>{field.key}</Code>
        {field.is_required && <Badge variant="default">{pageText.customFields.requiredBadge}</Badge>}
      </Group>
      <Text size="sm" c="dimmed">
        {[pageText.customFields.types[field.type], field.options.join(', ')].filter(Boolean).join(': ')}
      </Text>
    </Row>
  )
}
