import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Conflict } from '../core/conflict.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import type { CannedAnswer } from '../messages/canned.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { ContentField } from './content-field.tsx'
import { type AnswerValues, answerValuesOf, change, create } from './queries.ts'
import { cannedAnswerKeys } from './query-keys.ts'

interface Props {
  answer?: CannedAnswer
  onDone(): void
}

function useAnswerSending({ answer, onDone }: Props) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const version = useRef(answer?.version ?? 0)
  const sending = useSending<AnswerValues, CannedAnswer>({
    initialValues: answerValuesOf(answer),
    validate: {
      title: value => (value.trim() ? null : pageText.cannedAnswers.nameNeeded),
      shortcut: value => (/^[\p{L}\p{N}_-]+$/u.test(value) ? null : pageText.cannedAnswers.shortcutNeeded),
      content: value => (value.trim() ? null : pageText.cannedAnswers.contentNeeded),
    },
    send: values =>
      answer
        ? change(project_id, { id: answer.id, version: version.current }, values)
        : create(project_id, values),
    onDone: () => {
      void client.invalidateQueries({ queryKey: cannedAnswerKeys.lists(project_id) })
      onDone()
    },
  })
  return { sending, version }
}

/** Creates or edits a canned answer. */
export function AnswerForm(props: Props) {
  const { sending, version } = useAnswerSending(props)
  const { form } = sending
  return (
    <Form sending={sending} action={props.answer ? text.shell.save : pageText.cannedAnswers.create}>
      <Conflict
        failure={sending.failure}
        mine={form.getValues()}
        labels={{
          title: pageText.cannedAnswers.name,
          shortcut: pageText.cannedAnswers.shortcut,
          content: pageText.cannedAnswers.content,
        }}
        read={answerValuesOf as (current: never) => AnswerValues}
        onKeep={(current: CannedAnswer) => {
          version.current = current.version
          sending.submit()
        }}
        onTake={(theirs, current: CannedAnswer) => {
          version.current = current.version
          form.setValues(theirs)
          sending.forget()
        }}
      />
      <Names form={form} />
      <Place form={form} isNew={!props.answer} />
      <ContentField form={form} />
    </Form>
  )
}

interface Fields {
  form: UseFormReturnType<AnswerValues>
}

const Names = ({ form }: Fields) => (
  <>
    <TextInput label={pageText.cannedAnswers.name} data-autofocus {...form.getInputProps('title')} />
    <TextInput
      label={pageText.cannedAnswers.shortcut}
      description={pageText.cannedAnswers.shortcutAbout}
      leftSection="/"
      {...form.getInputProps('shortcut')}
    />
  </>
)

/** The owner, which cannot be changed later, and the department. */
function Place({ form, isNew }: Fields & { isNew: boolean }) {
  const { id, role } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  return (
    <>
      {isNew && mayDo(role, 'admin') && (
        <Select
          label={pageText.cannedAnswers.scope}
          allowDeselect={false}
          data={Object.entries(pageText.cannedAnswers.scopes).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('scope')}
        />
      )}
      {form.getValues().scope === 'shared' && departments.length > 0 && (
        <Select
          label={pageText.cannedAnswers.department}
          placeholder={pageText.cannedAnswers.everyDepartment}
          clearable
          data={departments.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('department_id')}
        />
      )}
    </>
  )
}
