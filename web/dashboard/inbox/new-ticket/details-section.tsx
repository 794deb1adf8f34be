import { NativeSelect, SimpleGrid, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FieldInputs } from '../../contacts/field-inputs.tsx'
import { fieldsQuery } from '../../contacts/queries.ts'
import { text } from '../../core/text.ts'
import { departmentsQuery, peopleQuery } from '../../operators/queries.ts'
import { useProject } from '../../projects/project.ts'
import { tagsQuery } from '../../tags/queries.ts'
import { priorities } from '../search.ts'
import type { NewTicketErrors } from './create.ts'
import type { NewTicketValues } from './draft.ts'

interface Props {
  values: NewTicketValues
  errors: NewTicketErrors
  onChange(change: Partial<NewTicketValues>): void
}

/** The assignee, the department, the priority, the tags and the custom fields of the ticket. */
export function DetailsSection({ values, errors, onChange }: Props) {
  const { id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const { data: tags = [] } = useQuery(tagsQuery(id))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing={8}>
      <AssigneeField values={values} errors={errors} onChange={onChange} />
      {departments.length > 0 && (
        <NativeSelect
          label={text.creating.department}
          value={values.department_id ?? ''}
          error={errors.department_id}
          data={[
            { value: '', label: text.creating.noDepartment },
            ...departments.map(one => ({ value: one.id, label: one.name })),
          ]}
          onChange={event => onChange({ department_id: event.currentTarget.value || null })}
        />
      )}
      <NativeSelect
        label={text.inbox.priority}
        value={values.priority}
        data={priorities.map(value => ({ value, label: text.inbox.priorities[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ priority: priorities.find(one => one === value) ?? 'normal' })
        }
      />
      <TagsInput
        label={text.inbox.tags}
        value={values.tags}
        data={tags.map(({ name }) => name)}
        error={errors.tags}
        maxTags={50}
        onChange={next => onChange({ tags: next })}
      />
      <CustomFields values={values} onChange={onChange} />
    </SimpleGrid>
  )
}

/** The signed-in operator by default. */
function AssigneeField({ values, errors, onChange }: Props) {
  const { id, operatorId } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  const own = people.find(one => one.id === operatorId)
  const others = people.filter(one => one !== own)
  return (
    <NativeSelect
      label={text.creating.assignee}
      value={values.operator_id === undefined ? operatorId : (values.operator_id ?? '')}
      error={errors.operator_id}
      data={[
        ...(own ? [{ value: own.id, label: text.actions.me(own.name) }] : []),
        ...others.map(one => ({ value: one.id, label: one.name })),
        { value: '', label: text.inbox.nobody },
      ]}
      onChange={event => onChange({ operator_id: event.currentTarget.value || null })}
    />
  )
}

function CustomFields({ values, onChange }: Pick<Props, 'values' | 'onChange'>) {
  const { id } = useProject()
  const { data: fields = [] } = useQuery(fieldsQuery(id))
  return (
    <FieldInputs
      isForm
      fields={fields.filter(({ record }) => record === 'ticket')}
      values={values.custom_fields}
      onSave={async change => {
        onChange({ custom_fields: { ...values.custom_fields, ...change } })
        return true
      }}
    />
  )
}
