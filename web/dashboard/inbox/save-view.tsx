import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import type { TicketStatus } from '../tickets/queries.ts'
import type { View } from '../views/queries.ts'
import { viewKeys } from '../views/query-keys.ts'
import { EditView, toBody, ViewFields, type ViewValues, validateView } from '../views/view-fields.tsx'
import { RemoveView } from '../views/view-menu.tsx'
import { withAll } from './conditions/condition.ts'
import { printGroup, splitFilters, type ViewFilters } from './conditions/old-filters.ts'
import { useOwnDisplay } from './display.ts'
import { useConditions, useInboxPlace, useView } from './inbox.ts'
import { useOrder } from './order.ts'
import { viewQuestion } from './view-question.ts'

const close = () => viewQuestion.set(null)

/** The dialogs about the open view. */
export default function ViewDialogs() {
  const asked = viewQuestion.use()
  const view = useView()
  const { saveTitle, editTitle } = pageText.savedViews
  return (
    <>
      <Modal opened={asked === 'save'} onClose={close} title={saveTitle}>
        <SaveForm />
      </Modal>
      {view?.kind === 'saved' && (
        <>
          <Modal opened={asked === 'edit'} onClose={close} title={editTitle(view.name ?? '')}>
            <EditView view={view} onDone={close} />
          </Modal>
          <RemoveOpen view={view} isOpen={asked === 'remove'} />
        </>
      )}
    </>
  )
}

const unclosed: TicketStatus[] = ['new', 'open', 'pending', 'on_hold']
const waiting = { status: unclosed, is_snoozed: false }

/** The filters of a built-in view, in a form that a saved view can store. */
function filtersOf({ id, kind }: View): ViewFilters {
  const own: Partial<Record<View['kind'], ViewFilters>> = {
    mine: { ...waiting, operator_id: ['me'] },
    unassigned: { ...waiting, operator_id: ['none'] },
    department: { ...waiting, department_id: [id] },
    open: waiting,
    closed: { status: ['closed'] },
    snoozed: { is_snoozed: true },
    spam: { is_spam: true },
  }
  return own[kind] ?? {}
}

/** The filters of the list as those of a new view. */
function useNewFilters() {
  const { q } = useInboxPlace().search
  const { sort } = useOrder()
  const { conditions } = useConditions()
  const view = useView()
  const narrowing = { sort, ...(q && { q }) }
  if (view?.kind === 'saved')
    return { ...splitFilters(view.filters).rest, ...narrowing, conditions: printGroup(conditions) }
  const { group, rest } = splitFilters(view ? filtersOf(view) : null)
  const base = (group?.all ?? []).filter(one => 'field' in one)
  return { ...rest, ...narrowing, conditions: printGroup(withAll(base, conditions)) }
}

function SaveForm() {
  const { id: project_id } = useProject()
  const filters = useNewFilters()
  const { layout, density, columns } = useOwnDisplay()
  const navigate = useNavigate()
  const initialValues: ViewValues = { name: '', visibility: 'private', department_id: null }
  const sending = useSending({
    initialValues,
    validate: validateView,
    send: values => {
      const body = { ...toBody(values), filters, layout, density, columns }
      return take(api.POST('/projects/{project_id}/views', { params: { path: { project_id } }, body }))
    },
    onDone: async saved => {
      close()
      showNotice(pageText.savedViews.saved)
      await queryClient.invalidateQueries({ queryKey: viewKeys.list(project_id) })
      await navigate({ to: '/p/$projectId/inbox/$view', params: { projectId: project_id, view: saved.id } })
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <ViewFields form={sending.form} />
    </Form>
  )
}

function RemoveOpen({ view, isOpen }: { view: View; isOpen: boolean }) {
  const { id: projectId } = useProject()
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/p/$projectId/inbox/$view', params: { projectId, view: 'open' } })
  return <RemoveView view={view} isOpen={isOpen} onClose={close} onDone={leave} />
}
