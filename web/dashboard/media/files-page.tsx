import { Badge, Button, Group, PasswordInput, Switch, Text, TextInput } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved, unlessShown, useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { mediaKeys } from './query-keys.ts'

type Buckets = AnswerOf<'/projects/{project_id}/bucket', 'get'>['items']

const bucketsQuery = (project_id: string) =>
  queryOptions({
    queryKey: mediaKeys.buckets(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/bucket', { params: { path: { project_id } } }))).items,
    throwOnError: unlessShown,
  })

export default function FilesPage() {
  const { id } = useProject()
  const { data: buckets } = useQuery(bucketsQuery(id))
  return (
    <Page title={pageText.files.title} about={pageText.files.about}>
      {buckets ? <Known buckets={buckets} /> : <Loading />}
      <Section title={pageText.files.own} about={pageText.files.ownAbout}>
        <BucketForm />
      </Section>
    </Page>
  )
}

function Known({ buckets }: { buckets: Buckets }) {
  const { id: project_id } = useProject()
  const [isRemoving, setRemoving] = useState(false)
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/bucket', { params: { path: { project_id } } })),
    refresh: [bucketsQuery(project_id).queryKey],
  })
  if (!buckets.some(one => one.is_active)) return <Text mb="md">{pageText.files.none}</Text>
  return (
    <>
      <Rows label={pageText.files.title}>
        {buckets.map(({ endpoint, bucket, is_active, files }) => (
          <Row
            key={`${endpoint} ${bucket}`}
            aside={<Badge variant="default">{is_active ? pageText.files.active : pageText.files.old}</Badge>}
          >
            <Text fw={550}>{bucket}</Text>
            <Text size="sm" c="dimmed">
              {endpoint} · {pageText.files.count(files)}
            </Text>
          </Row>
        ))}
      </Rows>
      <Group mb="md">
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setRemoving(true)}>
          {pageText.files.remove}
        </Button>
      </Group>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={pageText.files.removeTitle}
        about={pageText.files.removeAbout}
        action={pageText.files.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}

const empty = {
  endpoint: '',
  bucket: '',
  region: '',
  access_key_id: '',
  secret_access_key: '',
  path_style: true,
}

function BucketForm() {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: empty,
    send: body => take(api.POST('/projects/{project_id}/bucket', { params: { path: { project_id } }, body })),
    onDone: ({ items }, form) => {
      void showSaved(client, bucketsQuery(project_id).queryKey, items)
      form.setValues(empty)
      showNotice(pageText.files.saved)
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={pageText.files.save}>
      <TextInput
        label={pageText.files.endpoint}
        placeholder={pageText.files.endpointExample}
        dir="ltr"
        {...form.getInputProps('endpoint')}
      />
      <TextInput label={pageText.files.bucket} dir="ltr" {...form.getInputProps('bucket')} />
      <TextInput label={pageText.files.region} dir="ltr" {...form.getInputProps('region')} />
      <TextInput
        label={pageText.files.accessKey}
        dir="ltr"
        autoComplete="off"
        {...form.getInputProps('access_key_id')}
      />
      <PasswordInput
        label={pageText.files.secret}
        description={pageText.files.secretAbout}
        dir="ltr"
        autoComplete="off"
        {...form.getInputProps('secret_access_key')}
      />
      <Switch
        label={pageText.files.pathStyle}
        description={pageText.files.pathStyleAbout}
        {...form.getInputProps('path_style', { type: 'checkbox' })}
      />
    </Form>
  )
}
