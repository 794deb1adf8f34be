import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, take } from '../core/api.ts'
import { useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { check } from './check.ts'
import { type Widget, widgetQuery } from './queries.ts'
import { type WidgetValues, widgetBodyOf, widgetValuesOf } from './values.ts'

/** Sends the version with which the form was loaded, so that nobody's change is overwritten unseen. */
export function useWidgetSending(widget: Widget) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const version = useRef(widget.version)
  const sending = useSending<WidgetValues, Widget>({
    initialValues: widgetValuesOf(widget),
    validate: check,
    send: values =>
      take(
        api.PATCH('/projects/{project_id}/widget', {
          params: { path: { project_id } },
          headers: { 'if-match': `"${version.current}"` },
          body: widgetBodyOf(values),
        }),
      ),
    onDone: saved => {
      version.current = saved.version
      void showSaved(client, widgetQuery(project_id).queryKey, saved)
      showNotice(text.shell.saved)
    },
  })
  return { sending, version }
}
