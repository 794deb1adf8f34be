import { NumberInput } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved, unlessShown } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from './project.ts'
import { projectKeys } from './query-keys.ts'

type Inbox = AnswerOf<'/projects/{project_id}/inbox-settings', 'get'>
type Times = Inbox['undo_seconds']

const inboxQuery = (project_id: string) =>
  queryOptions({
    queryKey: projectKeys.inboxSettings(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/inbox-settings', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

/** How long replies can be undone, by channel. */
export function UndoSettings() {
  const { id } = useProject()
  const { data } = useQuery(inboxQuery(id))
  return data ? <TimesForm times={data.undo_seconds} /> : null
}

/** The existing channels. */
const channels = ['widget', 'email', 'telegram', 'api'] as const

/** An empty field means zero seconds. */
const asNumbers = (values: Times): Partial<Times> =>
  Object.fromEntries(Object.entries(values).map(([channel, seconds]) => [channel, Number(seconds)]))

function TimesForm({ times }: { times: Times }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending<Times, Inbox>({
    initialValues: times,
    send: values =>
      take(
        api.PATCH('/projects/{project_id}/inbox-settings', {
          params: { path: { project_id } },
          body: { undo_seconds: { ...times, ...asNumbers(values) } },
        }),
      ),
    onDone: saved => {
      void showSaved(client, inboxQuery(project_id).queryKey, saved)
      showNotice(text.shell.saved)
    },
  })
  return (
    <Section title={pageText.project.undo} about={pageText.project.undoAbout}>
      <Form sending={sending} action={text.shell.save}>
        {channels.map(channel => (
          <NumberInput
            key={channel}
            label={pageText.project.undoSeconds[channel]}
            min={0}
            max={30}
            allowDecimal={false}
            clampBehavior="strict"
            maw={420}
            {...sending.form.getInputProps(channel)}
          />
        ))}
      </Form>
    </Section>
  )
}
