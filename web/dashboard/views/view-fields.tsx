import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Conflict } from '../core/conflict.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { changeView, type View, viewsQuery } from './queries.ts'

export interface ViewValues extends Record<string, unknown> {
  name: string
  visibility: View['visibility']
  department_id: string | null
}

/** A view is for a department only if one is chosen. */
export const toBody = ({ name, visibility, department_id }: ViewValues) => ({
  name: name.trim(),
  visibility,
  department_id: visibility === 'department' ? department_id : null,
})

export const validateView = {
  name: (value: string) => (value.trim() ? null : pageText.savedViews.nameNeeded),
  department_id: (value: string | null, { visibility }: ViewValues) =>
    visibility === 'department' && !value ? pageText.savedViews.departmentNeeded : null,
}

const visibilities: View['visibility'][] = ['private', 'department', 'everyone']

/** The name of a view, and who sees it. */
export function ViewFields({ form }: { form: UseFormReturnType<ViewValues> }) {
  const { id, role } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const { name, sharing, sharings, department, chooseDepartment } = pageText.savedViews
  const { visibility } = form.getValues()
  return (
    <>
      <TextInput data-autofocus label={name} maxLength={100} {...form.getInputProps('name')} />
      {mayDo(role, 'admin') && (
        <NativeSelect
          label={sharing}
          data={visibilities.map(value => ({ value, label: sharings[value] }))}
          {...form.getInputProps('visibility')}
        />
      )}
      {visibility === 'department' && (
        <NativeSelect
          label={department}
          data={[
            { value: '', label: chooseDepartment },
            ...departments.map(one => ({ value: one.id, label: one.name })),
          ]}
          {...form.getInputProps('department_id')}
          value={form.getValues().department_id ?? ''}
        />
      )}
    </>
  )
}

const valuesOf = ({ name, visibility, department_id }: View): ViewValues => ({
  name: name ?? '',
  visibility,
  department_id,
})

const areSame = (one: ViewValues, other: ViewValues): boolean =>
  one.name === other.name && one.visibility === other.visibility && one.department_id === other.department_id

function useViewSending({ view, onDone }: EditProps) {
  const { id: project_id } = useProject()
  const base = useRef(view)
  const sending = useSending<ViewValues, View>({
    initialValues: valuesOf(view),
    validate: validateView,
    send: values =>
      changeView(project_id, base.current, toBody(values), current =>
        areSame(valuesOf(current), valuesOf(base.current)),
      ),
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: viewsQuery(project_id).queryKey })
      onDone()
    },
  })
  return { sending, base }
}

/** Shows what somebody else has saved in the meantime, beside what is chosen here. */
function SavedElsewhere({ sending, base }: ReturnType<typeof useViewSending>) {
  const { data: departments = [] } = useQuery(departmentsQuery(useProject().id))
  const { name, sharing, sharings, department } = pageText.savedViews
  const { form, failure } = sending
  return (
    <Conflict
      failure={failure}
      mine={form.getValues()}
      labels={{ name, visibility: sharing, department_id: department }}
      read={valuesOf as (current: never) => ViewValues}
      describe={values => ({
        ...values,
        visibility: sharings[values.visibility] as View['visibility'],
        department_id: departments.find(({ id }) => id === values.department_id)?.name ?? null,
      })}
      onKeep={(current: View) => {
        base.current = current
        sending.submit()
      }}
      onTake={(theirs, current: View) => {
        base.current = current
        form.setValues(theirs)
        sending.forget()
      }}
    />
  )
}

interface EditProps {
  view: View
  onDone(): void
}

/** Changes the name of a view, and who sees it. */
export function EditView(props: EditProps) {
  const { sending, base } = useViewSending(props)
  return (
    <Form sending={sending} action={text.shell.save}>
      <SavedElsewhere sending={sending} base={base} />
      <ViewFields form={sending.form} />
    </Form>
  )
}
