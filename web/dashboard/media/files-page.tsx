import { Badge, Button, Group, PasswordInput, Switch, Text, TextInput } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { unlessShown, useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { Loading } from '../shell/states.tsx'

type Buckets = AnswerOf<'/projects/{project_id}/bucket', 'get'>['items']

const bucketsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['buckets', project_id],
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/bucket', { params: { path: { project_id } } }))).items,
    throwOnError: unlessShown,
  })

export default function FilesPage() {
  const { id } = useProject()
  const { data: buckets } = useQuery(bucketsQuery(id))
  return (
    <Page title={text.files.title} about={text.files.about}>
      {buckets ? <Known buckets={buckets} /> : <Loading />}
      <Section title={text.files.own} about={text.files.ownAbout}>
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
  if (!buckets.some(one => one.is_active)) return <Text mb="md">{text.files.none}</Text>
  return (
    <>
      <Rows label={text.files.title}>
        {buckets.map(({ endpoint, bucket, is_active, files }) => (
          <Row
            key={`${endpoint} ${bucket}`}
            aside={<Badge variant="default">{is_active ? text.files.active : text.files.old}</Badge>}
          >
            <Text fw={550}>{bucket}</Text>
            <Text size="sm" c="dimmed">
              {endpoint} · {text.files.count(files)}
            </Text>
          </Row>
        ))}
      </Rows>
      <Group mb="md">
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setRemoving(true)}>
          {text.files.remove}
        </Button>
      </Group>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={text.files.removeTitle}
        about={text.files.removeAbout}
        action={text.files.remove}
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
      client.setQueryData(bucketsQuery(project_id).queryKey, items)
      form.setValues(empty)
      showNotice(text.files.saved)
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={text.files.save}>
      <TextInput
        label={text.files.endpoint}
        placeholder={text.files.endpointExample}
        dir="ltr"
        {...form.getInputProps('endpoint')}
      />
      <TextInput label={text.files.bucket} dir="ltr" {...form.getInputProps('bucket')} />
      <TextInput label={text.files.region} dir="ltr" {...form.getInputProps('region')} />
      <TextInput
        label={text.files.accessKey}
        dir="ltr"
        autoComplete="off"
        {...form.getInputProps('access_key_id')}
      />
      <PasswordInput
        label={text.files.secret}
        description={text.files.secretAbout}
        dir="ltr"
        autoComplete="off"
        {...form.getInputProps('secret_access_key')}
      />
      <Switch
        label={text.files.pathStyle}
        description={text.files.pathStyleAbout}
        {...form.getInputProps('path_style', { type: 'checkbox' })}
      />
    </Form>
  )
}
