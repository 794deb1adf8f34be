import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { CopyField } from '../core/copy-field.tsx'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { ShownOnce } from '../core/shown-once.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { type Widget, widgetQuery } from './queries.ts'

/** Creates a secret at once if there is none; replacing one needs a confirmation. */
export function Secret({ widget }: { widget: Widget }) {
  const { id: project_id } = useProject()
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const make = useChange({
    send: () => take(api.POST('/projects/{project_id}/widget/secret', { params: { path: { project_id } } })),
    refresh: [widgetQuery(project_id).queryKey],
    onDone: answer => setSecret(answer.secret),
  })
  return (
    <Section title={pageText.widget.secret} about={pageText.widget.secretAbout}>
      <Group>
        <Button
          variant="default"
          loading={make.isPending}
          onClick={() => (widget.has_secret ? setAsking(true) : make.mutate())}
        >
          {widget.has_secret ? pageText.widget.replaceSecret : pageText.widget.makeSecret}
        </Button>
        <Text c="dimmed">
          {widget.secret_made_at ? (
            <>
              {pageText.widget.secretMade} <When time={widget.secret_made_at} />
            </>
          ) : (
            pageText.widget.secretNone
          )}
        </Text>
      </Group>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={pageText.widget.replaceTitle}
        about={pageText.widget.replaceAbout}
        action={pageText.widget.replaceSecret}
        run={() => make.mutate()}
      />
      <HoldingDialog
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={pageText.widget.secretReady}
        size="lg"
      >
        {secret && (
          <ShownOnce about={pageText.widget.secretCopy} onDone={() => setSecret(null)}>
            <CopyField label={pageText.widget.secret} value={secret} />
          </ShownOnce>
        )}
      </HoldingDialog>
    </Section>
  )
}
