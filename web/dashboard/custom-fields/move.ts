import { type Field, fieldsQuery } from '../contacts/queries.ts'
import { announce } from '../core/announce.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'

interface Step {
  field: Field
  by: -1 | 1
}

/** The fields of one kind of record in their new order. */
function reorder(fields: Field[], { field, by }: Step): Field[] {
  const own = fields.filter(({ record }) => record === field.record)
  const at = own.findIndex(({ id }) => id === field.id)
  const other = own[at + by]
  if (!other) return own
  return own.with(at, other).with(at + by, field)
}

/** Moves a field up or down among the fields of the same kind of record. */
export function useMove(project_id: string, fields: Field[]) {
  const { queryKey } = fieldsQuery(project_id)
  const change = useChange({
    async send(step: Step) {
      for (const [position, { id: field_id, position: before }] of reorder(fields, step).entries()) {
        if (position === before) continue
        const params = { path: { project_id, field_id } }
        await take(
          api.PATCH('/projects/{project_id}/custom-fields/{field_id}', { params, body: { position } }),
        )
      }
    },
    expect: [
      {
        key: queryKey,
        next: (old: Field[], step: Step) => [
          ...old.filter(({ record }) => record !== step.field.record),
          ...reorder(old, step),
        ],
      },
    ],
    refresh: [queryKey],
    onDone: (_answer, step) => {
      const place = reorder(fields, step).findIndex(({ id }) => id === step.field.id) + 1
      announce(pageText.customFields.moved(step.field.label, place))
    },
  })
  return { move: change.mutate, isMoving: change.isPending }
}
