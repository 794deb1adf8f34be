import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { settingsQuery } from '../projects/settings.ts'
import { Loading } from '../shell/states.tsx'
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
      title={text.widget.title}
      about={text.widget.about}
      actions={
        widget?.is_on && (
          <Anchor href={widget.page_url} target="_blank" rel="noreferrer">
            {text.widget.openPage}
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
