import { Select, Switch, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type Field, fieldsQuery } from '../contacts/queries.ts'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'

const listOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const valuesOf = (field: Field | undefined, record: Field['record']) => ({
  record: field?.record ?? record,
  label: field?.label ?? '',
  key: field?.key ?? '',
  type: field?.type ?? ('text' as Field['type']),
  options: field?.options ?? [],
  is_required: field?.is_required ?? false,
})
type Values = ReturnType<typeof valuesOf>

const validate = {
  label: (value: string) => (value.trim() ? null : pageText.customFields.labelNeeded),
  key: (value: string) => (/^[a-z][a-z0-9_]*$/.test(value) ? null : pageText.customFields.keyNeeded),
  options: (value: string[], { type }: Values) =>
    type !== 'select' || value.length > 0 ? null : pageText.customFields.optionsNeeded,
}

function send(project_id: string, field: Field | undefined, { record, key, type, ...rest }: Values) {
  const body = { ...rest, options: type === 'select' ? rest.options : [] }
  if (!field) {
    const all = { ...body, record, key, type }
    return take(
      api.POST('/projects/{project_id}/custom-fields', { params: { path: { project_id } }, body: all }),
    )
  }
  const params = { path: { project_id, field_id: field.id } }
  return take(api.PATCH('/projects/{project_id}/custom-fields/{field_id}', { params, body }))
}

interface Props {
  field?: Field
  /** The preselected kind of record of a new field. */
  record?: Field['record']
  onDone(): void
}

/** Creates or edits a field. Its key and type cannot be changed later. */
export function FieldForm({ field, record = 'ticket', onDone }: Props) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending<Values>({
    initialValues: valuesOf(field, record),
    validate,
    send: values => send(project_id, field, values),
    onDone: () => {
      void client.invalidateQueries({ queryKey: fieldsQuery(project_id).queryKey })
      onDone()
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={field ? text.shell.save : pageText.customFields.create}>
      <TextInput label={pageText.customFields.label} data-autofocus {...form.getInputProps('label')} />
      {!field && <Identity form={form} />}
      {form.getValues().type === 'select' && (
        <TagsInput
          label={pageText.customFields.options}
          description={pageText.customFields.optionsAbout}
          {...form.getInputProps('options')}
        />
      )}
      <Switch
        label={pageText.customFields.required}
        {...form.getInputProps('is_required', { type: 'checkbox' })}
      />
    </Form>
  )
}

const Identity = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <Select
      label={pageText.customFields.record}
      allowDeselect={false}
      data={listOf(pageText.customFields.records)}
      {...form.getInputProps('record')}
    />
    <TextInput
      label={pageText.customFields.key}
      description={pageText.customFields.keyAbout}
      dir="ltr"
      {...form.getInputProps('key')}
    />
    <Select
      label={pageText.customFields.type}
      allowDeselect={false}
      data={listOf(pageText.customFields.types)}
      {...form.getInputProps('type')}
    />
  </>
)
