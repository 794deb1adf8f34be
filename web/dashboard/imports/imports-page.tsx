import { ArrowUpTrayIcon } from '@heroicons/react/20/solid'
import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { type ImportedSource, importsQuery } from './queries.ts'
import { RemoveImport } from './remove-import.tsx'

export default function ImportsPage() {
  const { data: imports } = useQuery(importsQuery(useProject().id))
  const words = pageText.imports
  return (
    <Page title={words.title} about={words.about}>
      {!imports && <Loading />}
      {imports?.length === 0 && <Empty icon={ArrowUpTrayIcon} title={words.none} />}
      {imports && imports.length > 0 && (
        <Rows label={words.title}>
          {imports.map(one => (
            <ImportRow key={one.source} imported={one} />
          ))}
        </Rows>
      )}
    </Page>
  )
}

function ImportRow({ imported }: { imported: ImportedSource }) {
  const { source, state, kept, last_import_at } = imported
  const words = pageText.imports
  return (
    <Row aside={state === 'open' && <RemoveImport imported={imported} />}>
      <Group gap={8}>
        <Text fw={550}>{source}</Text>
        {state === 'removing' && <Badge variant="default">{words.removing}</Badge>}
      </Group>
      <Text size="sm" c="dimmed" component="div">
        {words.last} <When time={last_import_at} />
      </Text>
      <Text size="sm" aria-live={state === 'removing' ? 'polite' : undefined}>
        {words.counts(imported)}
      </Text>
      {kept > 0 && (
        <Text size="sm" c="dimmed">
          {words.kept(kept)}
        </Text>
      )}
    </Row>
  )
}
