import { FunnelIcon } from '@heroicons/react/20/solid'
import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { type View, viewsQuery } from './queries.ts'
import { ViewMenu } from './view-menu.tsx'

export default function ViewsPage() {
  const { id } = useProject()
  const { data, isPlaceholderData } = useQuery(viewsQuery(id))
  const saved = data?.filter(({ kind }) => kind === 'saved') ?? []
  return (
    <Page title={pageText.savedViews.title} about={pageText.savedViews.about}>
      {isPlaceholderData ? (
        <Loading />
      ) : saved.length === 0 ? (
        <Empty icon={FunnelIcon} title={pageText.savedViews.none} about={pageText.savedViews.noneAbout}>
          <Button variant="default" renderRoot={props => <Link to={`/p/${id}/inbox`} {...props} />}>
            {pageText.savedViews.toInbox}
          </Button>
        </Empty>
      ) : (
        <Rows label={pageText.savedViews.title}>
          {saved.map(view => (
            <ViewRow key={view.id} view={view} />
          ))}
        </Rows>
      )}
    </Page>
  )
}

function ViewRow({ view }: { view: View }) {
  const { id } = useProject()
  const { data: departments } = useQuery(departmentsQuery(id))
  const department = departments?.find(one => one.id === view.department_id)
  return (
    <Row aside={<ViewMenu view={view} />}>
      <Group gap={8}>
        <Anchor fw={550} renderRoot={props => <Link to={`/p/${id}/inbox/${view.id}`} {...props} />}>
          {view.name}
        </Anchor>
        <Badge variant="default">
          {view.visibility === 'department'
            ? department?.name
            : pageText.savedViews.sharings[view.visibility]}
        </Badge>
        {view.problems.length > 0 && (
          <Badge color="red" variant="light">
            {pageText.conditions.attention}
          </Badge>
        )}
      </Group>
      {view.problems.length > 0 && (
        <Text size="sm" c="dimmed">
          {pageText.savedViews.attentionAbout}
        </Text>
      )}
    </Row>
  )
}
