import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { settingsQuery } from '../projects/settings.ts'
import { widgetQuery } from './queries.ts'
import { Secret } from './secret.tsx'
import { Snippets } from './snippets.tsx'
import { WidgetForm } from './widget-form.tsx'

export default function WidgetPage() {
  const { id } = useProject()
  const { data: widget } = useQuery(widgetQuery(id))
  const { data: project } = useQuery(settingsQuery(id))
  return (
    <Page
      isWide
      title={pageText.widget.title}
      about={pageText.widget.about}
      actions={
        widget?.is_on && (
          <Anchor href={widget.page_url} target="_blank" rel="noreferrer">
            {pageText.widget.openPage}
          </Anchor>
        )
      }
    >
      {widget && project ? (
        <>
          <WidgetForm widget={widget} project={project} />
          <Secret widget={widget} />
          <Snippets widget={widget} />
        </>
      ) : (
        <Loading />
      )}
    </Page>
  )
}
