import { Alert, Button, FileButton, List, Stack, Text } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { asForm } from '../core/form-data.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { knowledgeKeys } from './query-keys.ts'

/** Sends a file as soon as it is chosen, and shows the result for each article in it. */
export function ImportArticles() {
  const { id: project_id } = useProject()
  const send = useChange({
    send: (file: File) =>
      take(
        api.POST('/projects/{project_id}/knowledge/import', {
          params: { path: { project_id } },
          body: { file },
          bodySerializer: asForm,
        }),
      ),
    refresh: [knowledgeKeys.all(project_id)],
  })
  return (
    <Stack>
      <Text>{pageText.knowledge.importAbout}</Text>
      <FileButton
        accept=".md,.markdown,.zip"
        onChange={file => file && send.mutate(file)}
        inputProps={{ 'aria-label': pageText.knowledge.choose }}
      >
        {props => (
          <Button loading={send.isPending} {...props}>
            {pageText.knowledge.choose}
          </Button>
        )}
      </FileButton>
      {send.data && (
        <Alert color="gray" role="status" title={pageText.knowledge.imported(send.data)}>
          <Lines
            title={pageText.knowledge.notImported}
            lines={send.data.failed.map(({ file, line, error }) =>
              pageText.knowledge.failed(file, line, error),
            )}
          />
          <Lines
            title={pageText.knowledge.lostLinks}
            lines={send.data.warnings.map(({ file, line, warning }) =>
              pageText.knowledge.failed(file, line, warning),
            )}
          />
        </Alert>
      )}
    </Stack>
  )
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <Text size="sm">{title}</Text>
      <List size="sm">
        {lines.map(line => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </>
  )
}
