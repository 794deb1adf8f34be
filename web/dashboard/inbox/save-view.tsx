import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { queryClient, useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import type { TicketFilters, TicketStatus } from '../tickets/queries.ts'
import type { View } from '../views/queries.ts'
import { viewKeys } from '../views/query-keys.ts'
import { useInboxPlace, useView } from './inbox.ts'
import { toFilters } from './search.ts'
import { question, useRemovable } from './view-buttons.tsx'

const close = () => question.set(null)

export default function ViewDialogs() {
  const asked = question.use()
  return (
    <>
      <Modal opened={asked === 'save'} onClose={close} title={text.inbox.saveView}>
        <SaveForm />
      </Modal>
      <RemoveView isOpen={asked === 'remove'} />
    </>
  )
}

const waiting = { status: ['new', 'open', 'pending', 'on_hold'] as TicketStatus[], is_snoozed: false }

/** The filters of a built-in view, in a form that a saved view can store. */
function filtersOf({ id, kind, filters }: View): TicketFilters {
  const own: Partial<Record<View['kind'], TicketFilters>> = {
    mine: { ...waiting, operator_id: ['me'] },
    unassigned: { ...waiting, operator_id: ['none'] },
    department: { ...waiting, department_id: [id] },
    open: waiting,
    closed: { status: ['closed'] },
    snoozed: { is_snoozed: true },
    spam: { is_spam: true },
  }
  return filters ?? own[kind] ?? {}
}

function SaveForm() {
  const { id: project_id, role } = useProject()
  const { view, search } = useInboxPlace()
  const base = useView()
  const navigate = useNavigate()
  const sending = useSending({
    initialValues: { name: '', is_shared: false },
    validate: { name: value => (value.trim() ? null : text.inbox.viewNameNeeded) },
    send: ({ name, is_shared }) => {
      const { view: _, ...narrowed } = toFilters(view, search)
      const filters = { ...(base && filtersOf(base)), ...narrowed }
      const body = { name: name.trim(), is_shared, filters }
      return take(api.POST('/projects/{project_id}/views', { params: { path: { project_id } }, body }))
    },
    onDone: async saved => {
      close()
      showNotice(text.inbox.viewSaved)
      await queryClient.invalidateQueries({ queryKey: viewKeys.list(project_id) })
      await navigate({ to: '/p/$projectId/inbox/$view', params: { projectId: project_id, view: saved.id } })
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={text.shell.save}>
      <TextInput data-autofocus label={text.inbox.viewName} maxLength={100} {...form.getInputProps('name')} />
      {mayDo(role, 'admin') && (
        <Checkbox label={text.inbox.viewShared} {...form.getInputProps('is_shared', { type: 'checkbox' })} />
      )}
    </Form>
  )
}

function RemoveView({ isOpen }: { isOpen: boolean }) {
  const { id: project_id } = useProject()
  const view = useRemovable()
  const navigate = useNavigate()
  const remove = useChange({
    send: (view_id: string) =>
      take(
        api.DELETE('/projects/{project_id}/views/{view_id}', { params: { path: { project_id, view_id } } }),
      ),
    refresh: [viewKeys.list(project_id)],
    onDone: () =>
      void navigate({ to: '/p/$projectId/inbox/$view', params: { projectId: project_id, view: 'open' } }),
  })
  return (
    <Confirm
      isOpen={isOpen && view !== null}
      title={text.inbox.removeView}
      about={text.inbox.removeViewAbout}
      action={text.shell.remove}
      run={() => view && remove.mutate(view.id)}
      onClose={close}
    />
  )
}
